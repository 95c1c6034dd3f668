"""The language service over the Language Server Protocol, for editors: `regelwerk lsp`."""
