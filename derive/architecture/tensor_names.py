"""Which part of a model a tensor belongs to, by its name: one table for the names of Hugging Face, Meta and GGUF.

The first row that matches decides, so a row stands before the more general ones. A part is called like the component of the closed
form that it is compared with.
"""

from __future__ import annotations

import re

OTHER_MODALITY = "other modality"
PREDICTION = "multi-token prediction"
BUFFER = "buffers"
CORRECTION = "routing correction"
EMBEDDING = "token embedding"
POSITIONS = "learned positions"
HEAD = "output head"
ROUTER = "router"
EXPERTS = "routed experts"
SHARED = "shared experts"
SHARED_GATE = "shared-expert gate"
ATTENTION = "attention"
MIXER = "state space"
FEED_FORWARD = "feed-forward"
NORMS = "norms"
FINAL_NORM = "final norm"
EMBEDDING_NORM = "embedding norm"
UNKNOWN = "other"

PARTS = (
    EMBEDDING, POSITIONS, EMBEDDING_NORM, ATTENTION, MIXER, FEED_FORWARD, EXPERTS, SHARED, SHARED_GATE, ROUTER, CORRECTION, NORMS,
    FINAL_NORM, HEAD, UNKNOWN, PREDICTION, OTHER_MODALITY, BUFFER,
)  # fmt: skip
"""In the order in which they are shown; what is not of the language model comes last."""

_ROWS = (
    (CORRECTION, r"\be_score_correction_bias$|\bexp_probs_b\b|\b(mlp|feed_forward)\.expert_bias$"),
    (BUFFER, r"\binv_freq$|\bmasked_bias$|rotary_emb\.|^rope_(freqs|factors)"
             r"|\battn\.bias$|\battention\.bias$|\bposition_ids$|\battn_rot_embd\b|\bnum_batches_tracked$|\bfreqs_cis$"
             r"|\bact_fn\.(beta|eps)$|\b(slope_rate|query_decay|key_decay|diagonal_decay)$"),
    (PREDICTION, r"^(model\.)?mtp[._]|\.mtp[._]|\bnextn\.|\beh_proj\b"),
    (OTHER_MODALITY, r"\b(vision|visual|audio|image|img|speech|multi_modal|multimodal|mm)(_\w+)?\.|^(v|a|mm)\.|\bvision_\w+|^resampler\."
                     r"|\b(sound|projector|patch_embed|patcher|conv_stem)\b"),
    (EMBEDDING_NORM, r"\b(embeddings?\.(LayerNorm|norm)|word_embeddings_layernorm|token_embd_norm|layernorm_embedding|layer_norm_emb"
                     r"|embed_norm|embeddings_layer_norm|blocks\.\d+\.pre_ln|layers\.\d+\.pre_ln)\b"),
    (POSITIONS, r"\b(wpe|position_embeddings|embed_positions|positions_embed|position_embedding|position_embd|pos_emb)\b"),
    (ATTENTION, r"\b(relative_attention_bias\w*|position_bias|relative_pos_embeddings|relative_position_bias|attn_rel_b)\b"),
    (HEAD, r"\blm_heads?\b|^(head|output|embed_out|lm_loss|pred_layer|generator_lm_head|cls|generator_predictions|decoder)\b(?!.*\.\d+\.)"
           r"(?!\.(embed|norm|layers|final))(?!_norm)|\b(embed_out|output_layer|output_projection|proj_out|unembedding)\b"),
    (EMBEDDING, r"\b(embed_tokens|wte|tok_embeddings|word_embeddings?|embed_in|token_embd|input_embedding|tokens_embed|token_embedding)\b"
                r"|\b(embed_tokens_per_layer|per_layer_token_embd|ngram_embeddings|token_type_embeddings|token_types|segment_embedding)\b"
                r"|\b(pronunciation_embed|shape_embed|encoder_hash_tok_embedding)\b|\bembeddings?\.weight$|^embed\.weight$|^transformer\.w\.weight$"
                r"|\b(embeddings_project|embedding_hidden_mapping_in|map_inputs_layer)\b"),
    (SHARED_GATE, r"\b(shared_expert_gate|ffn_gate_inp_shexp)\b"),
    (SHARED, r"\b(shared_experts?|shared_mlp)\b|_shexp\b"),
    (ROUTER, r"\b(router|router_mlp|ffn_gate_inp|classifier|moe_statics)\b|\b(block_sparse_moe|moe|mlp|feed_forward|mixer|ffn)\.gate(\.wg)?"
             r"(\.(weight|bias|global_scale|router_states_scale))?$|\bgate\.(down_proj|rmsnorm|router_states_scale)\b"
             r"|\bgate\.(wg|global_scale)\b"),
    (ATTENTION, r"\bself_attention\.experts\b"),
    (EXPERTS, r"\bexperts?\b|_(exps|chexps)\b|\bblock_sparse_moe\.(input|output)_linear\b|\bswitch_mlp\b"),
    (FEED_FORWARD, r"\bffn_sub_norm\b"),
    (NORMS, r"\b(attention|output|intermediate|rel_attn|ff|attentions?)\.(\w+\.)*(LayerNorm|layer_norm|ln|self_attn_layer_norm)\b"),
    (NORMS, r"\b(self_att\.layernorm_before_attention|ffn\.layernorm_before_ffn|layernorm_before_\w+)\b"),
    (ATTENTION, r"\battention\.(time_\w+|receptance)\b|\btemporal_block\.[qkvo]_proj\b"),
    (FEED_FORWARD, r"\bfeed_forward\.time_mix_\w+"),
    (MIXER, r"\b(mamba|linear_attn|mlstm_layer|temporal_block|rg_lru|short_conv|shortconv|conv|kda)\.|\b(ssm|time_mix)_\w+"),
    (MIXER, r"\bmixer\.(in_proj|out_proj|conv1d|A_log|D|dt_bias|dt_proj|x_proj|norm|[bc]_layernorm)\b"),
    (ATTENTION, r"\bmixer\.[qkvo]_proj\b|\bmixer\.[qk]_norm\b"),
    (FEED_FORWARD, r"\bmixer\.(up|down|gate)_proj\b"),
    (FEED_FORWARD, r"\b(mlp_sconv|mlp_input|mlp_message_gate|mlp_hyper_connection|ffn_hc|post_mlp_convolution|post_mlp_residual_scale)\b"),
    (ATTENTION, r"\b(self_attn|attn|attention|self_attention|self_att|cross_attn|encoder_attn|rel_attn|multi_head_attention|attentions)\."
                r"|\battn_(q|k|v|qkv|output|q_a|q_b|kv_a_mqa|kv_b|k_b|v_b|gate|sinks|q_norm|k_norm|q_a_norm|kv_a_norm|sub_norm|output_norm"
                r"|k_rel|out|o|kv)\b|\b(c_attn|wq|wk|wv|wo|wqkv|query_key_value|indexer|compressor|q_lin|k_lin|v_lin|out_lin|sinks)\b"),
    (ATTENTION, r"\b[qkv]_(norm|proj|sconv|input_layernorm|message_gate|a_proj|b_proj|a_layernorm)\b|\bo_proj\b|\bkv_[ab]_\w+\b"
                r"|\b(attn_hc|attn_hyper_connection|attn_sconv|post_attention_convolution|attention_input|cross_attn_\w+_gate|lambda_[12])\b"),
    (FEED_FORWARD, r"\b(feed_forward_(in|out))\."),
    (NORMS, r"\b(layers?|blocks?|h|blk|encoders?)\.\d+\.(\w+\.)*(\w*(norm|ln|layernorm|LayerNorm|rmsnorm)\w*)\b"),
    (FEED_FORWARD, r"\b(mlp|ffn|feed_forward|feedforward|ff|dense|mlps|ffns|intermediate|output|shared_transf\w*)\.|\bffn_(up|down|gate)\b"
                   r"|\b(fc1|fc2|w1|w2|w3|mlp_block|up_proj|gate_proj|down_proj|adapter_modules|channel_mix_\w+|gate_up_proj)\b"),
    (FINAL_NORM, r"\b(\w*norm\w*|ln_f|ln_out|LayerNorm|ln)\b"),
)  # fmt: skip

_TABLE = tuple((part, re.compile(pattern)) for part, pattern in _ROWS)


def part_of(name: str) -> str:
    """The part that a tensor belongs to; `UNKNOWN` where no row knows its name."""
    for part, pattern in _TABLE:
        if pattern.search(name):
            return part
    return UNKNOWN
