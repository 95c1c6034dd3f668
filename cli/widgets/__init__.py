"""Widgets of full screens: scrolling panes, and dialogs over them."""
