"""The rules of a game in which one seat writes a number down that the other one guesses."""

SECRET = """\
game "Secret" for 2 players ann, ben:
    "Ann writes a number down, Ben guesses."

== components ==

type Size is 1..4
note kept: Size or none = none, seen by ann
note guessed: Size or none = none
note more: Truth = false
note hints: 0..9 = 0

== phases ==

phase writing, turns from ann, over when kept is not none:
    must write

phase guessing:
    each player from ben:
        if me is ben:
            must guess
            must guess

action write(secret n: Size):
    "write a number"
    set kept to n

action guess(n: Size):
    "guess {n}"
    set guessed to n
    set more to kept > n
    add 1 to hints

== scoring ==

winner hints is 2 and me is ann "kept the secret"
"""
