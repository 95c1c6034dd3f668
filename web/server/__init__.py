"""Tables for people in many browsers: what is kept, who may do what, and how messages travel."""
