"""The networks: `forward` runs frozen ones with numpy alone, `modules` trains them with PyTorch."""
