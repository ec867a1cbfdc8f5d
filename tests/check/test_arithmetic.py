"""Claims of public texts, written out in every manner: each gets the verdict that its numbers deserve."""

import pytest
from check.written import MANNERS, Claim, written
from reference import records

from derive.checker.checking import check_text

CLAIMS = [Claim(**row) for row in records("check/claims.jsonl")]
RIGHT = {
    "exact": {"exact", "rounded", "exact-under"},
    "approx": {"approximation", "rounded", "exact-under", "exact"},
    "wrong": {"wrong"},
}
NUMBERS_HOLD = {"SK002"}
"""Claims that are wrong by what their text calls them; their numbers alone are only cut off."""


def verdict(document):
    """The verdict on the last relation of the document, which is the claim; None where there is no finding."""
    findings = check_text(document.text, document.format).findings
    return findings[-1].verdict if findings else None


def right(claim):
    return RIGHT[claim.verdict] | ({"approximation"} if claim.id in NUMBERS_HOLD else set())


@pytest.mark.parametrize("manner", MANNERS, ids=lambda manner: manner.name)
def test_every_claim(manner):
    failures = []
    for claim in CLAIMS:
        document = written(claim, manner)
        found = verdict(document)
        if found not in right(claim):
            failures.append(f"{claim.id} is {claim.verdict}, found {found}: {document.text!r}")
    assert not failures, f"{len(failures)} of {len(CLAIMS)}\n" + "\n".join(failures)


def test_the_claims_are_all_there():
    assert len(CLAIMS) == 164
    assert sum(claim.verdict == "wrong" for claim in CLAIMS) == 29
