"""Scenes of an example, `given`, `when` and `then`: a state that is laid out and played on."""
