"""A small game in which chance chooses among hidden cards: what is taken, what is given back, what is laid down."""

ROBBERS = """\
game "Robbers" for 2 players ann, ben

== components ==

type Rank is low, middle, high, ace
piece Card: 1 for each rank: Rank in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone laid holds Card
note rounds: 0..9 = 0

== setup ==

shuffle deck
for each p in Player: move 2 from deck to hand[p]

== phases ==

phase main, turns from ann, over when rounds is 4:
    must rob or lay
    add 1 to rounds

action rob:
    "rob"
    require hand[left(me)] is not empty     because "nothing to take"
    move 1 at random from hand[left(me)] to hand[me]
    if count hand[me] > 2: move 1 at random from hand[me] to hand[left(me)]

action lay:
    "lay"
    require hand[me] is not empty           because "you have no card"
    choose c at random from hand[me]
    if c is not low: move c to laid

== scoring ==

winner highest count hand[me]
"""
