"""A deal of two to its end: seat 1 deals, seat 0 captures last, four cards are left."""

from scopa_net.rules.cards import cards
from scopa_net.rules.deal import Deal, new_deal
from scopa_net.rules.variants import Variant
from tests.support.deals import played

ORDER = (
    "AD7B4D6C JC4BKS QSAC6D 2B2C3S 4C4SKC 6SKB6B 5C3DQB ABQC3C 2DKD2S JD5S3B JS5B7C "
    "JBQD5D AS7S7D"
)
PLAYS = (
    "JCxAD7B QS KSx4D6C AC 4B 6D 3S KCxACQS 2C 4Sx4B 2Bx2C 4C KBx4C6D 5C 6S 3Dx3S "
    "6Bx6S QB AB KDxABQB QC 2D 3C 2Sx2D JDx3C5C 7C 3B JS 5S 5Bx5S QDxQC 7Dx7C 5D 7S "
    "JBxJS AS"
)
LEFT = cards("AS 3B 5D 7S")


def ended(variant: Variant) -> Deal:
    return played(new_deal(variant, 0, [one.index for one in cards(ORDER)]), PLAYS)
