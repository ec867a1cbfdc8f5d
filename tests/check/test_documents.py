"""Documents with their expected findings; see `fixtures.py` for the format and `documents/` for the cases."""

import pytest
from check.fixtures import cases, complaints, shown

from derive.checker.checking import check_text


@pytest.mark.parametrize("case", cases(), ids=str)
def test_document(case):
    findings = check_text(case.text).findings
    assert not complaints(case, findings), "\n".join([*complaints(case, findings), "", "findings:", *map(shown, findings)])


def test_there_are_enough():
    assert len(cases()) >= 150


RESTATED = cases("restated")


def test_restated_facts_are_mostly_decided():
    """Formulas of public texts that name a quantity of this field: three quarters get the right verdict."""
    judged = {case: complaints(case, check_text(case.text).findings) for case in RESTATED}
    missed = [f"{case}: {said}" for case, said in judged.items() if said]
    assert len(missed) <= len(RESTATED) // 4, f"{len(missed)} of {len(RESTATED)}\n" + "\n".join(missed)


@pytest.mark.parametrize("case", [case for case in RESTATED if all("wrong" not in each.verdicts for each in case.expected)], ids=str)
def test_what_is_right_is_never_called_wrong(case):
    assert not [shown(finding) for finding in check_text(case.text).findings if finding.verdict == "wrong"]
