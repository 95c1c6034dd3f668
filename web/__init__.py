"""The table in the browser: a page, the session that answers it, and a server that carries their messages."""
