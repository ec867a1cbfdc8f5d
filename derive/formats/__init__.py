"""Other people's configurations: Meta's params.json, litgpt, Megatron-LM. Recognised by their keys and translated, or refused."""
