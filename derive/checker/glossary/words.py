"""Names of more than one letter: `hidden_size`, `n_layers`, `N_h`, `num layers`, `词表大小`."""

from __future__ import annotations

from functools import cache

from derive.symbols import BY_NAME, VOCABULARY

# Underscores, hyphens, spaces and case are ignored. A meaning stands before the names that are its own.
_WORDS: dict[str, str] = {
    "d": """dmodel hidden hiddensize hiddendim hiddendimension hiddenwidth nembd nembed embdim embeddim embeddingdim embeddingsize
        embedsize embeddingdimension modeldim modeldimension modelwidth dimmodel dhidden dembd demb dembed dembedding dim dm
        nhidden 隐藏维度 隐藏层维度 隐层维度 隐藏大小 隐藏层大小 模型维度 嵌入维度 词向量维度 词嵌入维度 隐藏状态维度
        模型宽度""",
    "h": """heads nheads nhead numheads numhead numattentionheads nattentionheads attentionheads attnheads nattnheads numattnheads
        headcount nq nh hq nqheads numqheads nqueryheads numqueryheads queryheads qheads 头数 注意力头数 查询头数 注意力头数量
        头的数量""",
    "h_kv": """hkv nkv nkvheads nkvhead numkvheads kvheads keyvalueheads numkeyvalueheads nkvhds numquerygroups nquerygroups
        nheadskv nheadkv numheadskv headskv kvhead kvheadcount 键值头数 kv头数 kv头数量""",
    "d_h": """dhead headdim headsize dimhead dimhd hd dhd headdimension dimperhead headwidth sizeperhead hiddensizeperhead
        kvchannels dk 每头维度 头维度 每个头的维度 单头维度 注意力头维度""",
    "d_kv": "kvdim dimkv kvwidth kvsize kvhiddensize",
    "d_q": "qdim dimq querywidth",
    "m": """dff dffn dmlp ffndim ffdim dimff dimffn ffnsize ffsize ffwsize dinner dintermediate intermediate intermediatesize
        intermediatedim intermediatedimension ffnhiddensize ffnhiddendim mlphiddensize mlphiddendim mlpdim mlpsize hiddendimffn
        feedforwarddim dimfeedforward ffnhidden mlphidden ffhidden ninner dimmlp dfeedforward 中间维度 中间层维度 ffn维度
        ffn中间维度 前馈维度 前馈网络维度 ffn隐藏维度""",
    "m_e": """moeintermediatesize dexpert expertdim expertintermediatesize moedim moeffnhiddensize expertffndim dmoe expertsize
        专家中间维度 专家维度""",
    "m_s": "sharedexpertintermediatesize sharedexpertdim dshared",
    "V": """vocab vocabsize vocabularysize nvocab vocabulary numvocab vocabdim paddedvocabsize vsize 词表 词表大小 词汇表大小
        词汇量 词典大小 词表长度 词表规模""",
    "L": """layers nlayers nlayer numlayers numlayer numhiddenlayers nblocks numblocks nblock layercount llayers nl depth ndepth
        numtransformerlayers ntransformerlayers decoderlayers numdecoderlayers hiddenlayers 层数 层数量 模型层数 网络层数 总层数
        隐藏层数""",
    "L_D": "ndenselayers denselayers numdenselayers firstkdensereplace",
    "L_M": "nmoelayers moelayers nummoelayers",
    "L_F": "nfulllayers",
    "L_S": "nslidinglayers",
    "w": "slidingwindow windowsize slidingwindowsize window 窗口大小 滑动窗口大小 滑动窗口",
    "E": """nexperts numexperts nexpert experts nroutedexperts numroutedexperts numlocalexperts routedexperts ntotalexperts ne
        numberofexperts 专家数 专家数量 专家总数 路由专家数""",
    "E_s": "nsharedexperts sharedexperts numsharedexperts nsharedexpert 共享专家数",
    "k": """topk numexpertspertok nexpertspertok expertspertoken activeexperts nactiveexperts numactiveexperts numexpertspertoken
        nactivatedexperts 激活专家数 激活的专家数""",
    "n": """seq seqlen sequencelength seqlength sequence contextlength contextlen ctxlen ctx context contextsize contextwindow
        maxseqlen nseq lseq seqsize promptlen inputlen tokensperseq 序列长度 上下文长度 输入长度 序列长 最大序列长度 文本长度""",
    "n_ctx": "nctx npositions maxpositionembeddings npos numpositions",
    "B": """batch batchsize bs bsz nbatch numbatch globalbatchsize microbatchsize mbs gbs batchdim batches 批大小 批次大小
        批量大小 批处理大小 批次 批量""",
    "b": """bytes bytesperelement bytesperelem bytesperparam bytesperparameter bytespervalue dtypebytes dtypesize bytesperdtype
        sizeofdtype nbytes elementsize sizeperelement bytesperweight precisionbytes bytesperel sizeofelement bytespernumber bdtype
        bprec 字节数 每参数字节数 每个参数字节数 精度字节数 每元素字节数""",
    "r": "lorarank lorar",
    "r_q": "qlorarank",
    "r_kv": "kvlorarank",
    "d_n": "qknopeheaddim dnope",
    "d_r": "qkropeheaddim drope",
    "d_v": "vheaddim",
    "P_total": """params nparams numparams parameters totalparams totalparameters nparameters numparameters paramcount
        parametercount modelparams modelparameters ptotal ntotal ntotalparams nparam param 参数 参数量 总参数量 参数数量 参数总量
        参数总数 模型参数量 模型参数 总参数""",
    "P_active": "activeparams nactive pactive activeparameters activatedparams nactiveparams 激活参数 激活参数量 活跃参数量",
    "P_non_embedding": "nonembeddingparams nonembedparams nnonembedding nnonembed",
    "D_tokens": """trainingtokens traintokens ntrainingtokens numtrainingtokens ntraintokens dtokens datasetsize datasettokens
        totaltokens 训练数据量 训练token数 训练词元数""",
    "batch_tokens": "batchtokens tokensperbatch tokensinbatch batchsizeintokens",
    "g": "nrep gqagroupsize gqaratio",
    "expansion": "expansion expansionfactor expansionratio mlpratio ffnmultiplier ffnmult ffmult mlpexpansion ffnexpansion",
    "tensor_parallel": "tp tpsize tpdegree tensorparallel tensorparallelsize tensormodelparallelsize ntp 张量并行度",
    "pipeline_parallel": "pp ppsize ppdegree pipelineparallel pipelineparallelsize pipelinemodelparallelsize npp 流水线并行度",
    "expert_parallel": "ep epsize epdegree expertparallelsize",
    "sequence_parallel": "cp cpsize contextparallelsize sequenceparallelsize",
    "N_d": "dp dpsize dpdegree dataparallel dataparallelsize ndp 数据并行度",
    "devices": "ngpus numgpus ngpu gpus devices ndevices numdevices worldsize nchips 显卡数 gpu数",
    "compute": "trainingflops trainflops totalflops flopbudget computebudget trainingcompute totalcompute 训练计算量 总计算量",
}


def meaning_of_word(name: str) -> str | None:
    """The meaning that a name of more than one letter has in every text; None for single letters and for unknown names."""
    if name in BY_NAME and len(name) > 1:
        return name
    bare = _bare(name)
    if len(bare) < 2 or (len(bare) == 2 and bare.isascii() and len(name) == 2):
        return None  # `NH` is a product of two letters, `N_H` a name
    return _table().get(bare)


def _bare(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


@cache
def _table() -> dict[str, str]:
    table = {word: meaning for meaning, words in _WORDS.items() for word in words.split()}
    return table | {_bare(name): symbol.name for symbol in VOCABULARY for name in symbol.other_names}
