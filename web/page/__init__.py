"""The page in the browser, as it is sent: HTML, style sheet and modules of JavaScript, without a build step."""
