"""What users do in load tests: a scenario a file, and what all of them share."""
