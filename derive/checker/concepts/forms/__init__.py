"""What a formula of a concept can look like: sums of parts, each with its kinds, in frames."""
