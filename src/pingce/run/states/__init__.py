"""What evaluators have seen, a module a task."""
