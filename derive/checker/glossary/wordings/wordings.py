"""What texts call the sizes of a Transformer, in English and Chinese.

Under each meaning stand its rows. A row is a run of slots: `a|b` is one of several, `[a|b]` one of several or nothing, `~` a
space inside of one wording; a capital word stands for the wordings in `SHORTHANDS`. What is indented further goes on with the
row above. Hyphens and slashes of a text are spaces, and Chinese is matched character by character.
"""

from __future__ import annotations

SHORTHANDS = """
    SIZE: size|sizes|dim|dims|dimension|dimensions|dimensionality|width|length
    NUMBER: number~of|numbers~of|num|#|#~of|no~of|count~of|total~of|total~number~of
    HEADS: head|heads
    EACH: per|for~each|of~each|of~one|of~a|of~an|in~each|of~the|of|of~every|each
    FFN: ffn|mlp|ff|ffw|feed~forward|feedforward|feed~forward~network|feedforward~network|feed~forward~layer|feedforward~layer|
        mlp~layer|ffn~layer
    PARAMETERS: parameters|params|weights
    KV: kv|k~v|key~value|k~and~v|key~and~value|key~or~value|key
    IN_MODEL: in~the~model|of~the~model|in~the~network|in~the~transformer|of~the~transformer|in~a~transformer|of~the~network|in~model
    ZHSIZE: 维度|维数|大小|尺寸|宽度|规模|size|dim|dimension|长度
    ZHCOUNT: 数|数量|数目|个数|总数|总数量
    ZHFFN: ffn|mlp|前馈|前馈层|前馈网络|前馈神经网络|全连接层|feed~forward|ffn~层
    ZHMIDDLE: 中间|中间层|隐藏|隐藏层|隐层|内部|升维|intermediate|hidden
    ZHTOKEN: token|tokens|词元|令牌|标记
"""

SAY_IT_ALONE = """
model size:
    model size
    size of the model
    parameter size
    模型 大小|规模|尺寸
d:
    hidden|model|embedding|embeddings|embed|residual~stream|hidden~state|hidden~states|hidden~layer|hidden~representation|
        token~embedding|word~embedding|embedding~vector|channel|model~hidden|transformer~hidden|hidden~embedding|hidden~unit|
        model~embedding SIZE
    SIZE of [the|a|each] [transformer|input|token] hidden|hidden~state|hidden~states|hidden~layer|hidden~layers|embedding|
        embeddings|token~embeddings|token~embedding|residual~stream|hidden~representation|embedding~vector|embedding~vectors|
        hidden~vector
    dim|dimension|dimensionality|width of the model|transformer
    NUMBER channels|embedding~dimensions|hidden~dimensions
    隐藏|隐层|隐藏层|隐含层|隐藏状态|隐状态|隐向量|隐藏向量|模型|模型隐藏|模型隐藏层|嵌入|嵌入向量|词嵌入|词向量|嵌入层|残差流|
        token~嵌入 [的] ZHSIZE
    hidden|embedding|模型~hidden|model|token~embedding [的] ZHSIZE|维
    隐藏层 神经元 数|数量|个数
    隐藏|隐层|隐藏层|嵌入|模型 维
    hidden~state|hidden~states|hidden~vector|hidden~vectors|embedding|embeddings|embedding~vector|embedding~vectors of size|
        dimension|dim|dimensionality
d_h:
    head|heads|attention~head|query~head|single~head|per~head [hidden|key|query|embedding] SIZE
    [hidden|key|query|embedding|key~query] SIZE EACH [the] [attention|individual|single|query] HEADS
    每个|单个|每一个|各|每|单 [注意力|查询|attention] 头|head|heads [的] [隐藏|向量] ZHSIZE
    注意力头|头|head|attention~head [的] ZHSIZE
d_kv:
    total kv|key~value|key SIZE
    kv|key~value width
    SIZE of [all|the] [all] kv|key~value HEADS
    键值总宽度
    kv 总维度
d_q:
    query width
    查询总宽度
    total query dimension|dim
key size:
    KV|query|key~query|query~key|keys~and~queries|value SIZE
    SIZE of [the] keys|queries|values|key|query|value
h:
    NUMBER [total] [attention|query|q|self~attention|parallel|multi~head~attention|attn|transformer|total] HEADS [per~layer|
        in~each~layer|in~a~layer]
    attention|query|q head count
    number of [query|attention] heads in [the] [multi~head] attention [layer|layers|mechanism|block]
    注意力|查询|多头注意力|多头|自注意力|attention|query|q|self~attention 头|head|heads [的] ZHCOUNT
    头|heads|head [的] ZHCOUNT
h_kv:
    NUMBER [distinct|shared] KV [attention] HEADS [per~layer]
    KV head count
    NUMBER query|kv|gqa|key~value|key~value~head groups
    键值|kv|k~v|key~value|键|key [的] 头|head|heads [的] ZHCOUNT
    kv|query|查询 组 [的] ZHCOUNT
groups:
    NUMBER groups
g:
    number~of [query] heads|queries|query~heads per|in~each|in~a|sharing~each|for~each [kv|key~value|query] head|group|heads~group
    gqa group|ratio [size]
    queries|query~heads|heads per kv~head|key~value~head|group
    query group size
    每组 [的] 查询 头 数|数量
    每个 kv 头 对应 的 查询 头 数|数量
m:
    FFN [hidden|intermediate|inner|hidden~layer|inner~layer|intermediate~layer] SIZE
    intermediate|inner|inner~layer [hidden|layer|mlp|ffn|feed~forward] SIZE
    [hidden|inner|intermediate|hidden~layer|inner~layer] SIZE of|in [the|a] [dense|position~wise] FFN [network|layer|layers|block|
        blocks|module]
    hidden FFN SIZE
    FFN hidden
    ZHFFN [的] ZHMIDDLE [层] [的] ZHSIZE
    ZHFFN [的] ZHSIZE
    中间|中间层|中间隐藏|intermediate [的] ZHSIZE
    升维 后 的 维度
m_e:
    expert|moe|per~expert|routed~expert [ffn|mlp] [hidden|intermediate|inner] SIZE
    [ffn|mlp] [hidden|inner|intermediate|ffn|hidden~layer] SIZE EACH [the] [single|individual|routed|moe] expert|experts
    [每个|单个|路由|每] 专家|expert [的] [ffn] [ZHMIDDLE] [的] ZHSIZE
m_s:
    shared expert [hidden|intermediate] SIZE
    [hidden|intermediate] SIZE EACH shared expert|experts
    共享 专家 [的] [ZHMIDDLE] [的] ZHSIZE
V:
    vocabulary|vocab|dictionary of size
    vocabulary|vocab|dictionary|token~vocabulary|tokenizer~vocabulary|vocabulary~token|padded~vocabulary|padded~vocab size|sizes|
        length|cardinality|count|dim|dimension
    size|cardinality of [the] [token|tokenizer|model] [s] vocabulary|vocab|dictionary
    NUMBER [vocabulary|vocab|distinct|unique|different] tokens|words|entries in [the|our|its] vocabulary|vocab|dictionary
    NUMBER vocabulary|vocab entries|tokens|words|items
    词表|词汇表|词典|字典|单词表|词汇|vocab|vocabulary [的] 大小|规模|尺寸|长度|容量|size|ZHCOUNT|维度
    词汇量
    词表 里|中 [的] token|词 数|数量
L:
    NUMBER [transformer|decoder|hidden|stacked|model|network|identical|decoder~only|self~attention|attention|stacked~transformer|
        transformer~decoder] layers|layer [IN_MODEL]
    NUMBER [transformer|decoder|stacked|identical|residual|stacked~transformer|transformer~decoder] blocks [IN_MODEL]
    [total|transformer] layer count
    number of transformer|decoder layers|blocks in the decoder|stack
    model|network|transformer depth
    depth of the model|network|transformer
    [transformer|模型|网络|神经网络|解码器|隐藏|decoder|block|总] [的] [总] 层 [的] ZHCOUNT
    transformer [的] block|块|层|layer [的] ZHCOUNT
    layer|layers|decoder~layer|transformer~layer|block 数|数量|个数
    解码器 块|层 [的] 数|数量
    模型|网络 深度
depth:
    depth
L_D:
    NUMBER dense [ffn] layers
    稠密 层 数|数量
L_M:
    NUMBER moe|mixture~of~experts|sparse layers|blocks
    moe 层 数|数量
L_F:
    NUMBER full|global [attention] layers
    全局 注意力 层 数|数量
L_S:
    NUMBER sliding|sliding~window|local [attention] layers
    滑动 窗口 层 数|数量
w:
    [sliding|attention|local] [attention] window size|length
    size of the [sliding|attention] window
    [滑动|注意力] 窗口 [的] 大小|长度|尺寸
E:
    NUMBER [routed|total|local|moe|ffn|available] experts [per~layer|in~each~layer|in~the~layer|per~moe~layer|in~each~moe~layer|
        in~a~layer]
    total|routed experts
    [total] expert count
    [每层] [的] [路由|总] 专家|expert|experts [的] ZHCOUNT
E_s:
    NUMBER shared experts [per~layer]
    共享 专家|expert [的] ZHCOUNT
k:
    NUMBER active|activated|selected|chosen|used [routed] experts [per~token|for~each~token|per~tok]
    NUMBER [routed] experts per|activated~per|active~per|selected~per|chosen~per|used~per|activated~for~each|selected~for~each|
        routed~to~per|for~each|chosen~for~each token|tok
    NUMBER experts [that] each|a|every token is routed to
    每个|每 ZHTOKEN [所] 激活|选中|选择|使用|路由到|对应 的 [路由] 专家 [的] ZHCOUNT
    激活|选中|活跃|被激活|被选中|每次激活 [的] [路由] 专家|experts|expert [的] ZHCOUNT
n:
    sequence|input|context|prompt|sequences|inputs of length
    [输入] 序列|上下文|输入 长
    [maximum|max|total|input|training|full|token|current] sequence|seq|context|ctx|input|prompt|input~sequence|token~sequence|
        context~window length|lengths|len
    length of [the|an|each] [input|token] sequence|context|prompt|sequences|input
    context|sequence|context~window|seq size
    [maximum] context window
    NUMBER [input|prompt|context|past] tokens in|per|of [the|a|each|one] [input] sequence|context|prompt|input|sample
    NUMBER prompt|input|context tokens
    tokens per sequence|sample
    [最大|输入|训练|总|文本|token] 序列|上下文|上下文窗口|输入序列|输入|文本|句子|提示|提示词|prompt|seq|sequence|context [的] 长度|
        length|len
    [输入] 序列 [的|中] [的] ZHTOKEN ZHCOUNT
    上下文 窗口 [大小]
n_ctx:
    [maximum|max] number of [learned] positions
    max|maximum position embeddings
    maximum number of position embeddings
    最大 位置 数
B:
    batch of size
    [global|training|inference|micro|mini|per~gpu|per~device|local|total] batch|microbatch|minibatch size|sizes [per~gpu|per~device]
    size of [the|a|each] [mini|micro|training] batch
    NUMBER sequences|samples|examples|prompts in|per [the|a|each] [mini|micro|training] batch
    NUMBER [concurrent|parallel|input] sequences
    NUMBER concurrent requests|users
    [全局|训练|推理|微|小|micro|global|每卡|总] 批|批次|批量|批处理|batch [的] 大小|尺寸|规模|size
batch_tokens:
    batch size in|measured~in|of tokens
    NUMBER tokens in|per [the|a|each] [global|training|mini] batch|step|training~step|iteration
    tokens per batch|step|training~step
    每 [个] 批|批次|batch|步|step [的] ZHTOKEN ZHCOUNT
b:
    [number~of|#~of|storage|num] bytes|byte per|of~each|for~each|of~one|for~one|of~a|each|for~a [stored|model|single|kv|cached|
        weight|matrix] parameter|element|elem|value|weight|param|number|scalar|activation|entry|float
    [storage] size of [a|one|each|the|an] [single|stored|model|kv] [cache] element|data~type|dtype|datatype|value [in~bytes]
    precision in bytes
    element|dtype|data~type|datatype size|bytes [in~bytes]
    byte width
    [每|每个|单个|一个|每一个] [模型] 参数|元素|权重|数值|数|值|数据 [所|需|需要|所需] [占|占用|存储] [用] [的] 字节 [数|大小|数量]
    精度|数据类型|数据精度|dtype [对应|所占|占用] [的] 字节 [数|大小|数量]
    每 参数|元素|个数 字节 [数]
r:
    lora|adapter|adaptation|low~rank rank
    rank of [the] [lora|low~rank] adapter|adapters|update|decomposition|adaptation|matrices|lora
    lora [的] 秩
    低秩 [矩阵|分解|适配] [的] 秩
rank:
    [low] rank
    秩
r_q:
    query|q compression|latent|compressed dimension|dim|rank
    q lora rank
    查询 压缩 [后] [的] 维度|秩|维数
r_kv:
    kv|key~value|key~and~value compression|latent|compressed dimension|dim|rank|size
    [dimension|dim|rank] [of] [the] compressed kv [latent|vector] dimension|dim
    kv lora rank
    kv|键值 [联合] 压缩|潜在 [后|向量] [的] 维度|秩|维数
d_n:
    nope head dim|dimension|size
    non rotary head dim|dimension
d_r:
    rope|rotary|decoupled [head] dim|dimension|size
    per head dimension of the decoupled queries and key|keys
    rope 维度
    旋转 位置 [编码] [部分] [的] [每头] 维度
d_v:
    value head dim|dimension|size
N_d:
    data parallel|parallelism [size|degree|dimension|ways]
    NUMBER data~parallel|model replicas|ranks|workers|copies
    数据 并行 [的] 度|大小|数|规模|路数|size|维度
tensor_parallel:
    tensor|tensor~model|model parallel|parallelism [size|degree|dimension|ways]
    tp size|degree
    NUMBER tensor parallel ranks|gpus|devices
    张量|模型|tensor [模型] 并行 [的] 度|大小|数|规模|路数|size|维度
    tp 度|大小|并行度|size
pipeline_parallel:
    pipeline [model] parallel|parallelism [size|degree|dimension|ways]
    pp size|degree
    NUMBER pipeline [parallel] stages|ranks
    流水线|流水 [线] 并行 [的] 度|大小|数|规模|size|级数
    pp 度|大小|并行度|size
expert_parallel:
    expert parallel|parallelism [size|degree]
    ep size|degree
    专家 并行 度|大小|数
sequence_parallel:
    sequence|context parallel|parallelism [size|degree]
    cp size|degree
    序列|上下文 并行 度|大小|数
devices:
    NUMBER [available|total|data~center] gpus|devices|accelerators|chips|tpus|cards
    gpu|显卡|卡|设备|加速卡|芯片 [的] ZHCOUNT
    [total] gpu count
P_total:
    NUMBER [model|trainable|total|learnable|neural~network|network|all|the~model~s|overall] PARAMETERS [IN_MODEL|in~the~llm|
        of~the~llm]
    [total|model|full] parameter|param count|counts|number
    [the] total [model|trainable] parameters|params
    total number of [trainable] parameters in [the|a] model|llm|network
    parameters|params of the model|network|llm
    number of parameters of [the|a] model|llm|network|transformer
    [模型|总|全部|所有|模型总|可训练|网络|模型的总|大模型|llm] [的] 参数 [的] 量|数|数量|总数|总量|个数|规模|总数量|数目
    总 参数 [量|数]
    模型 [的] [总] 参数 [总] 量|数
P_non_embedding:
    NUMBER non embedding [model] PARAMETERS
    NUMBER PARAMETERS excluding [the|all] [vocabulary~and~positional|token|input] embedding|embeddings
    NUMBER [model] PARAMETERS excluding [all] vocabulary and positional embeddings
    non embedding parameters|params|parameter~count
    非 嵌入|embedding [层] [的] 参数 量|数|数量
P_active:
    NUMBER active|activated [model] PARAMETERS [per~token|for~each~token]
    active|activated parameters|params|parameter~count [per~token]
    NUMBER parameters activated|active|used per|for~each token
    [每个|每] [token|词元] [的] 激活|活跃 [的] 参数 [量|数|数量]
D_tokens:
    NUMBER [total] training|pretraining|pre~training|processed|train [data] tokens
    NUMBER [training|total|unique|all] tokens in|of [the|a] [training|pretraining|whole|entire] dataset|corpus|data|training~set|
        set|training~data
    NUMBER [training] tokens [that] [the~model] [is|was] processed|trained~on|seen|used~for~training|trained|consumed|sees
        [during~training|in~training|by~the~model]
    NUMBER tokens used for|in|during [the] [model] training
    dataset|data|corpus|training~set|training~data|training~dataset|data~set size [in~tokens|measured~in~tokens]
    size of [the] [training] dataset|corpus|training~data|training~set|data [in~tokens]
    [total] training tokens
    训练|预训练 [数据|语料|集|过程] [中|所用|使用|所使用] [的] [总] token|tokens|词元|令牌 [的] [总] 数|数量|量|总数|总量|个数
    训练 数据 [集] [的] 量|规模|大小|总量
    训练 数据 [集] 的 token 数
    数据 集 [的] 大小|规模|token~数|token~总数
    语料 [的] token|词元 数|总数|数量
tokens:
    NUMBER [total|input|all] tokens
    total tokens
    ZHTOKEN [的] [总] 数|数量|个数|总数|总量
compute:
    total|training|total~training compute [budget]
    compute|flop|flops budget
    [total] training flops|flop|cost|computation
    NUMBER [training|total] flops|flop|floating~point~operations [used~for|for|during|in|required~for] training
    training compute in flops|flop
    amount of compute
    [总|训练|训练总|训练所需|训练所需的|模型训练|所需|预训练] [的] 总 计算 量
    训练|训练所需|训练所需的|预训练 [的] [总] 计算|flops|浮点 [运算] 量|次数|数|计算量
    计算 预算
amount of compute:
    compute
    total flops
    NUMBER flops|flop|floating~point~operations
    计算 量
    flops
expansion:
    FFN|expansion|ffn~expansion|mlp~expansion|feed~forward~expansion ratio|factor|multiplier|multiple
    ffn 扩展|扩张 [的] 倍数|比例|系数|因子
    扩展 倍数|比例|系数|因子
"""

AFTER_A_LETTER_OR_NUMBER = """
h:
    [attention|query|q|self~attention|parallel|total|attn] heads
    个 [注意力|查询|attention] 头|head|heads
    [注意力|查询] 头
h_kv:
    KV|shared~key~value heads
    query|kv groups
    [个] 键值|kv|k~v 头|head|heads
L:
    [transformer|decoder|hidden|stacked|identical|decoder~only|model|self~attention|transformer~decoder] layers
    [transformer|decoder|identical|stacked|transformer~decoder] blocks
    [个] [transformer|解码器|decoder|隐藏|网络] 层
    [个] transformer|解码器|decoder block|blocks|块|层
    层 [transformer|decoder|解码器|网络]
L_M:
    moe layers
L_D:
    dense layers
E:
    [routed|total] experts
    个 [路由] 专家|experts|expert
E_s:
    shared experts
    [个] 共享 专家
k:
    active|activated|selected|chosen [routed] experts [per~token]
    experts per|active~per|activated~per|selected~per|chosen~per token
    [个] 激活 专家
d_h:
    dims|dimensions per [attention] head
P_total:
    [model|total|trainable|learnable] PARAMETERS
    个 参数
P_non_embedding:
    non embedding PARAMETERS
P_active:
    active|activated parameters|params
D_tokens:
    training tokens
    tokens of [training] data|text
    个 训练 token|tokens|词元
tokens:
    [input|total] tokens
    个 token|tokens|词元
B:
    [input|concurrent] sequences
    条|个 序列|样本
devices:
    gpus|devices|accelerators|chips|tpus
    张 卡|显卡|gpu
    个 gpu|gpus|设备
    卡
d:
    channels|embedding~dimensions|hidden~dimensions
other:
    microbatches|micro~batches|steps|iterations|epochs|stages|nodes|groups|samples|classes|bits|bytes
    步|轮|节点|类
"""

BESIDE_AN_EQUALS_SIGN = """
B:
    [micro|mini|global] batch|batches|microbatch|minibatch
    批|批次|批量
n:
    seq|sequence|context
    序列|上下文
V:
    vocab|vocabulary
    词表|词汇表
d:
    hidden|embedding|embed|channels|embeddings
    隐藏|隐藏层
m:
    intermediate|ffn|ff
L:
    layer
b:
    bytes
depth:
    深度
"""

OTHER_NOUNS = """
    loss losses rate matrix matrices vector vectors tensor tensors bandwidth bandwidths time times temperature gradient gradients
    weight weights bias biases probability probabilities constant constants cost costs error errors throughput latency activation
    activations function functions state states index indices position positions score scores output outputs input inputs query
    queries key keys value values memory flops speed fraction ratio percentage overhead utilization efficiency coefficient exponent
    decay momentum distribution variance mean norm timestep step steps epoch epochs bits frequency angle capacity budget perplexity
    entropy mask logits logit set scale expert layer head token embedding embeddings sequence attention softmax derivative performance
    intensity energy power price volume height area image pixel channel kernel label target sample
    损失 学习率 矩阵 权重 带宽 温度 概率 向量 时间 延迟 吞吐 吞吐量 激活值 梯度 算力 显存 内存 索引 位置 步数
    缩放因子 系数 函数 常数 误差 偏置 方差 均值 利用率 比例 输出 输入 峰值 频率 张量 编号 状态 动量 指数 困惑度
    熵 掩码 次数 步长 下标 速度 性能 效率 精度 价格 强度 曲率 高度
"""
"""Nouns of what is no size: a letter that is "the weight matrix" or 学习率 is none of ours."""

UNCOUNTED_NOUNS = "size sizes dim dims dimension dimensions dimensionality width length len number rank degree factor count"
"""Nouns of sizes: "patch size" is one, though none of ours."""
