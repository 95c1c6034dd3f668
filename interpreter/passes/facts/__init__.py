"""What passes ask about the IR: what is noticed, touched, and known where something stands."""
