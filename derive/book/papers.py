"""The papers that the book leans on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: its authors as they are cited, its title, year and number at arXiv, if it is there; `mark` tells papers of a year apart."""

    authors: str
    title: str
    year: int
    arxiv: str | None = None
    mark: str = ""

    @property
    def cited(self) -> str:
        """In a sentence: `Ainslie et al. 2023`."""
        return f"{self.authors} {self.year}{self.mark}"

    def listed(self, language: str) -> str:
        """In the list of references."""
        source = f", arXiv:{self.arxiv}" if self.arxiv else ""
        return f"{self.cited}{'：' if language == 'zh' else ': '}*{self.title}*{source}"


PAPERS: dict[str, Paper] = {
    "transformer": Paper("Vaswani et al.", "Attention Is All You Need", 2017, "1706.03762"),
    "mqa": Paper("Shazeer", "Fast Transformer Decoding: One Write-Head is All You Need", 2019, "1911.02150"),
    "gqa": Paper(
        "Ainslie et al.", "GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints", 2023, "2305.13245"
    ),
    "deepseek-v2": Paper(
        "DeepSeek-AI", "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model", 2024, "2405.04434", "a"
    ),
    "deepseek-v3": Paper("DeepSeek-AI", "DeepSeek-V3 Technical Report", 2024, "2412.19437", "b"),
    "glu": Paper("Shazeer", "GLU Variants Improve Transformer", 2020, "2002.05202"),
    "rmsnorm": Paper("Zhang and Sennrich", "Root Mean Square Layer Normalization", 2019, "1910.07467"),
    "layernorm": Paper("Ba, Kiros and Hinton", "Layer Normalization", 2016, "1607.06450"),
    "memories": Paper("Geva et al.", "Transformer Feed-Forward Layers Are Key-Value Memories", 2020, "2012.14913"),
    "tying": Paper("Press and Wolf", "Using the Output Embedding to Improve Language Models", 2016, "1608.05859"),
    "rope": Paper("Su et al.", "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, "2104.09864"),
    "alibi": Paper(
        "Press, Smith and Lewis",
        "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
        2021,
        "2108.12409",
    ),
    "gpt2": Paper("Radford et al.", "Language Models are Unsupervised Multitask Learners", 2019),
    "gpt3": Paper("Brown et al.", "Language Models are Few-Shot Learners", 2020, "2005.14165"),
    "llama": Paper("Touvron et al.", "LLaMA: Open and Efficient Foundation Language Models", 2023, "2302.13971", "a"),
    "llama2": Paper("Touvron et al.", "Llama 2: Open Foundation and Fine-Tuned Chat Models", 2023, "2307.09288", "b"),
    "llama3": Paper("Grattafiori et al.", "The Llama 3 Herd of Models", 2024, "2407.21783"),
    "kaplan": Paper("Kaplan et al.", "Scaling Laws for Neural Language Models", 2020, "2001.08361"),
    "chinchilla": Paper("Hoffmann et al.", "Training Compute-Optimal Large Language Models", 2022, "2203.15556"),
    "moe": Paper("Shazeer et al.", "Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer", 2017, "1701.06538"),
    "switch": Paper(
        "Fedus, Zoph and Shazeer",
        "Switch Transformers: Scaling to Trillion Parameter Models with Simple and Efficient Sparsity",
        2021,
        "2101.03961",
    ),
    "mixtral": Paper("Jiang et al.", "Mixtral of Experts", 2024, "2401.04088"),
    "deepseekmoe": Paper(
        "Dai et al.", "DeepSeekMoE: Towards Ultimate Expert Specialization in Mixture-of-Experts Language Models", 2024, "2401.06066"
    ),
    "megablocks": Paper("Gale et al.", "MegaBlocks: Efficient Sparse Training with Mixture-of-Experts", 2022, "2211.15841"),
    "lora": Paper("Hu et al.", "LoRA: Low-Rank Adaptation of Large Language Models", 2021, "2106.09685"),
    "zero": Paper("Rajbhandari et al.", "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models", 2019, "1910.02054"),
    "megatron": Paper(
        "Narayanan et al.", "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM", 2021, "2104.04473"
    ),
    "recompute": Paper("Korthikanti et al.", "Reducing Activation Recomputation in Large Transformer Models", 2022, "2205.05198"),
    "flash": Paper("Dao et al.", "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness", 2022, "2205.14135"),
    "paged": Paper("Kwon et al.", "Efficient Memory Management for Large Language Model Serving with PagedAttention", 2023, "2309.06180"),
    "adam": Paper("Kingma and Ba", "Adam: A Method for Stochastic Optimization", 2014, "1412.6980"),
    "mixed": Paper("Micikevicius et al.", "Mixed Precision Training", 2017, "1710.03740"),
}
