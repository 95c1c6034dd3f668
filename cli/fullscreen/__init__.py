"""A game in full screen: board, tables, log and question at a glance, operated by keyboard and mouse."""
