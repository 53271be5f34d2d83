"""The paper's two baselines: a sequence-to-sequence LSTM and the Neural GPU, characters in and out."""
