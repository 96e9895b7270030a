"""What a build costs before it is made: its jobs by its config, and their costs by those of a study that was measured."""
