"""How networks learn: supervised, by PPO, by practice. Nothing here can compute an answer."""
