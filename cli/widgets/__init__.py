"""Parts of full screens: panes of lines that scroll, and dialogs above them."""
