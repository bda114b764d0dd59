"""The demonstration: a real server, whole matches of every game, and recorded games refereed again."""
