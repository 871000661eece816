-- A discipline says the sport, and levels differ by sport: taken for independent, too few rows were expected, and the dearer way was chosen.
create statistics athlete_sport_facts (dependencies, mcv) on sport, discipline, level from athlete_sport;
