"""Tensors, legal actions and steps of many games as functions of the module of a game."""
