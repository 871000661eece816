/** Statistics of both sides of demo matches, consistent with the score and the actions. */
import { openRandom, type Random } from '../../../platform/random.ts';
import type { DemoActionType, DemoMatch, DemoPart } from '../../../schema/demo-edition.ts';
import type { Sport } from '../../../schema/sports.ts';

type Values = Readonly<Record<string, number>>;
type Both<Each> = readonly [Each, Each];

const rounded = (value: number, places = 0): number => Number(value.toFixed(places));

/** A share of the match in percent and that of the other side. */
function shares(random: Random, deviation: number): Both<number> {
  const share = rounded(random.normal(50, deviation, 28, 72), 1);
  return [share, rounded(100 - share, 1)];
}

function football(random: Random, goals: Both<number>): Both<Values> {
  const possession = shares(random, 8);
  const onTarget = [goals[0] + random.integer(0, 5), goals[1] + random.integer(0, 5)] as const;
  const side = (own: 0 | 1, other: 0 | 1): Values => {
    const shots = onTarget[own] + random.integer(2, 10);
    const passes = Math.round(possession[own] * random.normal(9, 0.6, 7, 11));
    return {
      possessionPct: possession[own],
      expectedGoals: rounded(shots * 0.05 + onTarget[own] * random.normal(0.16, 0.05, 0.05, 0.3), 2),
      shots,
      shotsOnTarget: onTarget[own],
      passes,
      passesCompleted: Math.round(passes * random.normal(0.8, 0.05, 0.6, 0.93)),
      corners: random.integer(0, 11),
      offsides: random.integer(0, 5),
      fouls: random.integer(5, 18),
      saves: onTarget[other] - goals[other],
    };
  };
  return [side(0, 1), side(1, 0)];
}

/** The number of actions of a type; null without actions. */
type CountActions = (type: DemoActionType) => number | null;

/** Three-pointers and free throws that leave an even number of points. */
function generateShots(random: Random, points: number): readonly [threes: number, freeThrows: number] {
  const threes = random.integer(5, Math.max(5, Math.min(15, Math.floor(points / 8))));
  const made = random.integer(0, Math.max(0, Math.min(22, points - 3 * threes)));
  return [threes, (points - 3 * threes - made) % 2 === 0 ? made : made === 0 ? 1 : made - 1];
}

function basketball(random: Random, points: number, actions: CountActions): Values {
  const generated = generateShots(random, points);
  const threes = actions('THREE_POINTS') ?? generated[0];
  const freeThrows = actions('FREE_THROW') ?? generated[1];
  const fieldGoals = threes + Math.max(0, (points - 3 * threes - freeThrows) / 2);
  const [offensive, defensive] = [random.integer(5, 15), random.integer(18, 34)];
  return {
    fieldGoalsMade: fieldGoals,
    fieldGoalsAttempted: Math.round(fieldGoals / random.normal(0.46, 0.04, 0.36, 0.6)),
    threePointersMade: threes,
    threePointersAttempted: Math.round(threes / random.normal(0.36, 0.05, 0.25, 0.55)),
    freeThrowsMade: freeThrows,
    freeThrowsAttempted: freeThrows + random.integer(0, 8),
    rebounds: offensive + defensive,
    offensiveRebounds: offensive,
    defensiveRebounds: defensive,
    assists: Math.min(fieldGoals, random.integer(10, 30)),
    steals: random.integer(3, 13),
    blocks: random.integer(0, 8),
    turnovers: random.integer(6, 20),
  };
}

function handball(random: Random, goals: Both<number>, actions: Both<CountActions>): Both<Values> {
  const shots = goals.map((scored) => Math.round(scored / random.normal(0.6, 0.06, 0.45, 0.75)));
  const side = (own: 0 | 1, other: 0 | 1): Values => ({
    shots: shots[own] ?? 0,
    goals: goals[own],
    saves: Math.round(((shots[other] ?? 0) - goals[other]) * random.normal(0.6, 0.1, 0.3, 0.9)),
    turnovers: random.integer(4, 15),
    suspensions: actions[own]('SUSPENSION') ?? random.integer(0, 6),
  });
  return [side(0, 1), side(1, 0)];
}

function rugby(random: Random): Both<Values> {
  const [possession, territory] = [shares(random, 6), shares(random, 8)];
  const side = (own: 0 | 1): Values => {
    const attempted = random.integer(90, 190);
    return {
      possessionPct: possession[own],
      territoryPct: territory[own],
      metresGained: random.integer(220, 620),
      tackles: Math.round(attempted * random.normal(0.86, 0.04, 0.7, 0.97)),
      tacklesAttempted: attempted,
      turnoversWon: random.integer(2, 11),
      penaltiesConceded: random.integer(5, 16),
      scrumsWon: random.integer(2, 9),
      lineoutsWon: random.integer(6, 16),
    };
  };
  return [side(0), side(1)];
}

/** The statistics of the sides of a match, by metric; none for races, forfeits and sports without demo statistics. */
export function sideStatistics(
  { id, entries, actions = [] }: Pick<DemoMatch, 'id' | 'entries' | 'actions'>,
  sport: Sport,
  parts: readonly (DemoPart | undefined)[],
): readonly { readonly metric: string; readonly value: number }[][] {
  const [one, other] = parts;
  if (parts.length !== 2 || one?.score === undefined || other?.score === undefined || one.forfeit || other.forfeit) return [];
  const random = openRandom(`statistics ${id}`);
  const score = [one.score, other.score] as const;
  const countOf =
    (side: 0 | 1): CountActions =>
    (type) => {
      if (actions.length === 0) return null;
      const participantId = entries[side]?.participantId;
      return actions.filter((action) => action.type === type && action.participantId === participantId).length;
    };
  const counts = [countOf(0), countOf(1)] as const;
  const bySport: Partial<Record<Sport, () => Both<Values>>> = {
    FOOTBALL: () => football(random, score),
    BASKETBALL: () => [basketball(random, score[0], counts[0]), basketball(random, score[1], counts[1])],
    HANDBALL: () => handball(random, score, counts),
    RUGBY: () => rugby(random),
  };
  const values = bySport[sport]?.() ?? [];
  return values.map((side) => Object.entries(side).map(([metric, value]) => ({ metric, value })));
}
