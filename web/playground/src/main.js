// What runs first: Python is started, and only then the page around it, whose editor takes a while to load as well.

import "./workshop.js";

import("./page.js");
