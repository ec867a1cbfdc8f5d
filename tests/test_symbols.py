from derive.symbols import BY_ALIAS, BY_NAME, FACTOR_RANK, VOCABULARY, meant_by

SYMBOLS = (
    "d d_q d_kv h h_kv d_h m m_e m_s V L L_D L_M L_F L_S w E E_s k c n n_ctx B b r N_d r_q r_kv d_n d_r d_v "
    "L_I h_I d_I k_I d_emb "
    "L_rec L_conv d_rec d_state d_conv r_dt h_ssm g_ssm h_lk h_lv d_lk d_lv n_shared_blocks n_updates d_shared_attn d_block d_routed"
)


def test_the_vocabulary_is_complete_and_each_symbol_stands_once():
    assert sorted(SYMBOLS.split()) == sorted(BY_NAME)
    assert len(VOCABULARY) == len(BY_NAME)
    assert set(FACTOR_RANK) == set(BY_NAME)


def test_every_row_says_what_it_is_in_both_languages():
    for symbol in VOCABULARY:
        assert symbol.meaning.en and symbol.meaning.zh and symbol.unit.en and symbol.unit.zh and symbol.latex


def test_no_alias_means_two_things():
    aliases = [alias for symbol in VOCABULARY for alias in symbol.aliases]
    assert len(aliases) == len(set(aliases)) == len(BY_ALIAS)
    assert not set(aliases) & set(BY_NAME)


def test_meant_by():
    assert meant_by("hidden_size") == "d"
    assert meant_by("d_kv") == "d_kv"
    assert meant_by("H") is None
