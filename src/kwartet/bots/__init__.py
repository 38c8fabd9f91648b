"""Players that choose an action. They see what their seat may see and nothing else."""
