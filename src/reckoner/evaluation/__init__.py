"""How often the networks are right: problem sets, marking, intervals."""
