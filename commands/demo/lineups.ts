/** Team sheets of the demo data. */
import type { Random } from '../../platform/random.ts';
import type { DemoAthlete } from '../../schema/demo.ts';
import type { DemoPlayer } from '../../schema/demo-edition.ts';
import type { Club } from './roster.ts';
import type { TeamSport } from './scores.ts';

const starters: Readonly<Record<TeamSport, number>> = { FOOTBALL: 11, BASKETBALL: 5, VOLLEYBALL: 6, RUGBY: 15, HANDBALL: 7 };

const isKeeper = ({ positions }: DemoAthlete): boolean => positions[0] === 'GK';

/** The keeper first, then the best fit athletes. Shirt numbers are those of the squad; duplicates get free numbers. */
export function generateLineup(random: Random, sport: TeamSport, { players }: Club): DemoPlayer[] {
  const fit = players.filter(() => random.chance(0.92));
  const keeper = fit.find(isKeeper);
  const outfield = fit.filter((each) => !isKeeper(each));
  const first = [...(keeper ? [keeper] : []), ...outfield].slice(0, starters[sport]);
  const inOrder = [...first, ...fit.filter((each) => !first.includes(each))];
  const captain = first.toSorted((one, other) => other.age - one.age)[0];
  const taken = new Set<number>();
  return inOrder.map((athlete, index) => {
    let shirtNumber = athlete.membership?.shirtNumber ?? index + 1;
    while (taken.has(shirtNumber)) shirtNumber += 1;
    taken.add(shirtNumber);
    return {
      athleteId: athlete.id,
      position: athlete.positions[0] ?? null,
      shirtNumber,
      starter: first.includes(athlete),
      captain: athlete === captain,
    };
  });
}
