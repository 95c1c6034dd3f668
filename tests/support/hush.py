"""A game in which a seat decides openly, and then secretly."""

HUSH = """
game "Hush" for 2 players ann, ben:
    "Hide stones."

== components ==

piece Stone: 4 for each owner: Player in hand[owner]
zone hand[p: Player] holds Stone, seen by p
zone cellar[p: Player] holds Stone, seen by p
note said: 0..4 = 0

== phases ==

phase hiding, turns from ann, over when said is 4:
    must say
    may secretly hide up to 3 times

action say(n: 1..2):
    "say {n}"
    add 1 to said

action hide:
    "hide a stone"
    require hand[me] is not empty because "nothing is left"
    move 1 from hand[me] to cellar[me]

== scoring ==

winner highest count cellar[me]
"""
