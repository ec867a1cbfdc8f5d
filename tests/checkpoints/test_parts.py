"""Names of tensors and the parts they belong to, in the spellings of Hugging Face, Meta, other releases and GGUF."""

import pytest
from reference import records

from derive.architecture.tensor_names import PARTS, part_of
from derive.checkpoints.parts import MOST_PATTERNS, first_prediction_layer, layer_of, part_of_component, parts_by_name
from derive.errors import CheckpointError

NAMES = """
token embedding: model.embed_tokens.weight transformer.wte.weight gpt_neox.embed_in.weight transformer.word_embeddings.weight tok_embeddings.weight
token embedding: token_embd.weight model.tok_embeddings.weight embed.weight backbone.embeddings.weight transformer.embedding.word_embeddings.weight
learned positions: transformer.wpe.weight model.decoder.embed_positions.weight position_embd.weight
embedding norm: transformer.word_embeddings_layernorm.weight token_embd_norm.bias
attention: model.layers.3.self_attn.q_proj.weight model.layers.3.self_attn.q_proj.bias model.layers.3.self_attn.q_norm.weight
attention: transformer.h.0.attn.c_attn.weight transformer.h.0.attn.c_proj.bias gpt_neox.layers.0.attention.query_key_value.weight
attention: gpt_neox.layers.0.attention.dense.weight layers.0.attention.wq.weight model.layers.0.attention.wqkv.weight layers.0.attn.wq_a.weight
attention: model.layers.0.self_attn.kv_a_proj_with_mqa.weight model.layers.0.self_attn.kv_a_layernorm.weight model.layers.0.self_attn.sinks
attention: blk.0.attn_q.weight blk.0.attn_output.weight blk.0.attn_qkv.bias blk.0.attn_k_norm.weight blk.0.attn_kv_a_mqa.weight blk.0.attn_sinks.weight
attention: model.layers.5.mixer.q_proj.weight model.layers.0.self_attn.indexer.wq_b.weight model.layers.0.self_attn.W_pack.weight
state space: backbone.layers.0.mixer.in_proj.weight backbone.layers.0.mixer.A_log model.layers.0.mamba.conv1d.weight model.layers.0.linear_attn.norm.weight
state space: blk.0.ssm_in.weight blk.0.ssm_norm.weight model.layers.0.conv.in_proj.weight
feed-forward: model.layers.0.mlp.gate_proj.weight transformer.h.0.mlp.c_fc.bias layers.0.feed_forward.w1.weight model.layers.0.fc1.weight
state space: backbone.layers.0.mixer.conv1d.bias
attention: rwkv.blocks.0.attention.time_decay rwkv.blocks.0.attention.receptance.weight model.layers.2.temporal_block.q_proj.weight
feed-forward: rwkv.blocks.0.feed_forward.time_mix_key model.decoder.layers.0.fc2.bias
feed-forward: blk.0.ffn_gate.weight blk.0.ffn_down.bias transformer.h.0.mlp.dense_4h_to_h.weight backbone.layers.0.mixer.up_proj.weight
routed experts: model.layers.0.mlp.experts.7.down_proj.weight model.layers.0.block_sparse_moe.experts.0.w1.weight model.layers.0.mlp.experts.gate_up_proj
routed experts: blk.0.ffn_down_exps.weight layers.3.ffn.experts.0.w1.weight
shared experts: model.layers.0.mlp.shared_experts.up_proj.weight model.layers.0.mlp.shared_expert.up_proj.weight blk.0.ffn_up_shexp.weight
shared-expert gate: model.layers.0.mlp.shared_expert_gate.weight blk.0.ffn_gate_inp_shexp.weight
router: model.layers.0.mlp.gate.weight model.layers.0.block_sparse_moe.gate.weight model.layers.0.mlp.router.weight blk.0.ffn_gate_inp.weight
routing correction: model.layers.0.mlp.gate.e_score_correction_bias blk.0.exp_probs_b.bias
norms: model.layers.0.input_layernorm.weight transformer.h.0.ln_1.bias layers.0.attention_norm.weight blk.0.attn_norm.weight blk.0.post_ffw_norm.weight
norms: model.layers.0.pre_feedforward_layernorm.weight backbone.layers.0.norm.weight
final norm: model.norm.weight transformer.ln_f.bias output_norm.weight norm.weight gpt_neox.final_layer_norm.weight backbone.norm_f.weight
output head: lm_head.weight lm_head.bias output.weight embed_out.weight head.weight transformer.output_layer.weight
multi-token prediction: model.layers.61.eh_proj.weight mtp.layers.0.self_attn.q_proj.weight model.mtp_layers.0.input_proj.weight blk.0.nextn.enorm.weight
other modality: visual.blocks.0.attn.qkv.weight model.vision_tower.encoder.layers.0.mlp.fc1.weight multi_modal_projector.linear_1.weight v.blk.0.attn_q.weight
buffers: model.layers.0.self_attn.rotary_emb.inv_freq transformer.h.0.attn.bias transformer.h.0.attn.masked_bias rope_freqs.weight
buffers: gpt_neox.layers.0.attention.bias rope_factors_long.weight
other: something.entirely.new
"""


@pytest.mark.parametrize("line", NAMES.strip().splitlines())
def test_names(line):
    part, _, names = line.partition(": ")
    assert {name: part_of(name) for name in names.split()} == dict.fromkeys(names.split(), part)
    assert part in PARTS
    assert parts_by_name("here", names.split()) == dict.fromkeys(names.split(), part)


def test_shapes_of_real_implementations_agree():
    """What the shapes say of a part, independent of the names: vectors are norms, and what is V long is an end."""
    seen = set()
    for row in records("implementations.jsonl"):
        V = row["config"]["vocab_size"]
        for name, shape, _ in row["tensors"]:
            part = part_of(name.replace("*", "0"))
            seen.add(part)
            assert part != "other"
            assert (len(shape) == 1) == ("norm" in part) or part in ("attention", "feed-forward", "routed experts", "router")
            assert (V in shape) == (part in ("token embedding", "output head"))
    assert {"attention", "routed experts", "shared experts", "router", "norms", "final norm", "learned positions"} <= seen


def test_layers():
    assert [layer_of(name) for name in ("model.layers.12.mlp.up_proj.weight", "blk.3.attn_q.weight", "h.0.ln_1.bias", "lm_head.weight")] == [
        12, 3, 0, None,
    ]  # fmt: skip
    assert first_prediction_layer(["model.layers.61.eh_proj.weight", "model.layers.60.mlp.up_proj.weight", "mtp.layers.0.x"]) == 61
    assert first_prediction_layer(["model.layers.60.mlp.up_proj.weight"]) is None


def test_components_of_the_closed_form():
    for name, part in (
        ("latent attention", "attention"), ("linear attention", "state space"), ("routed experts", "routed experts"), ("embedding and head", "output head"),
        ("shared-expert gate", "shared-expert gate"), ("gated delta rule", "state space"), ("delta attention", "attention"), ("final norm", "final norm"), ("unheard of", "other"),
    ):  # fmt: skip
        assert part_of_component(name) == part


def test_more_kinds_of_names_than_any_model_has():
    names = [f"layers.{'x' * i}.weight" for i in range(1, MOST_PATTERNS + 1)]
    assert len(parts_by_name("here", names)) == MOST_PATTERNS
    with pytest.raises(CheckpointError, match="here: 2,049 kinds of tensor names"):
        parts_by_name("here", [*names, "one.more"])
    assert len(parts_by_name("here", [f"model.layers.{i}.mlp.up_proj.weight" for i in range(10_000)])) == 10_000
