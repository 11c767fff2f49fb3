"""Metrics inside other people's training loops: what boosters, scikit-learn, torch and Keras ask for."""
