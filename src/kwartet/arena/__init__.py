"""Many matches between bots: who meets whom, playing them in parallel, ratings, reports."""
