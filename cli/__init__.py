"""The command `regelwerk`: what people see and type. It knows no game."""
