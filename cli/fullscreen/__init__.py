"""A game in full screen: board, tables, log and question in sight, by keyboard and mouse."""
