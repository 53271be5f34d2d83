"""The curriculum: what is learned (tasks), from which problems, in which order, by whom."""
