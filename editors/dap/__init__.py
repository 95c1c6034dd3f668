"""The debugger in an editor: the Debug Adapter Protocol over recordings of games and examples."""
