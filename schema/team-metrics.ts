/** The metrics of a side in a match, such as possession. They have the keys of the metrics of athletes where both count the same. */
import { metrics, type MetricRow } from './metrics.ts';
import type { Sport } from './sports.ts';

const count = (title: string, max: number, direction: MetricRow['direction'] = 'HIGHER_IS_BETTER'): MetricRow => ({
  title,
  unit: 'count',
  valueType: 'INTEGER',
  direction,
  aggregation: 'SUM',
  min: 0,
  max,
});

const share = (title: string): MetricRow => ({
  title,
  unit: 'pct',
  valueType: 'DECIMAL',
  direction: 'NEUTRAL',
  aggregation: 'AVG',
  min: 0,
  max: 100,
});

/** Shares of one whole, which the two sides divide between them. */
export const dividedShares: readonly string[] = ['possessionPct', 'territoryPct'];

/** Metrics that only a side has, and those of athletes. Bounds are those of a whole season. */
const rows = {
  ...metrics,
  possessionPct: share('Possession'),
  territoryPct: share('Territory'),
  expectedGoals: { ...count('Expected goals', 1_000), valueType: 'DECIMAL' },
  corners: count('Corners', 5_000),
  offsides: count('Offsides', 2_000, 'NEUTRAL'),
  fouls: count('Fouls', 5_000, 'LOWER_IS_BETTER'),
  freeThrowsMade: count('Free throws made', 10_000),
  freeThrowsAttempted: count('Free throws attempted', 20_000, 'NEUTRAL'),
  freeThrowPct: { ...share('Free throw percentage'), aggregation: { ratio: ['freeThrowsMade', 'freeThrowsAttempted'] } },
  offensiveRebounds: count('Offensive rebounds', 20_000),
  defensiveRebounds: count('Defensive rebounds', 20_000),
  serviceErrors: count('Service errors', 10_000, 'LOWER_IS_BETTER'),
  attackErrors: count('Attack errors', 10_000, 'LOWER_IS_BETTER'),
  penaltiesConceded: count('Penalties conceded', 5_000, 'LOWER_IS_BETTER'),
  scrumsWon: count('Scrums won', 2_000),
  lineoutsWon: count('Line-outs won', 3_000),
  suspensions: count('Two-minute suspensions', 2_000, 'LOWER_IS_BETTER'),
  strikesAttempted: count('Strikes attempted', 100_000, 'NEUTRAL'),
  takedowns: count('Takedowns', 5_000),
  takedownsAttempted: count('Takedowns attempted', 10_000, 'NEUTRAL'),
  knockdowns: count('Knock-downs', 500),
  controlTimeMs: { ...count('Control time', 360_000_000), unit: 'ms' },
  winners: count('Winners', 20_000),
  unforcedErrors: count('Unforced errors', 20_000, 'LOWER_IS_BETTER'),
  pointsWon: count('Points won', 50_000),
} satisfies Record<string, MetricRow>;

type TeamMetricKey = keyof typeof rows;

const bySport: Readonly<Partial<Record<Sport, readonly TeamMetricKey[]>>> = {
  // prettier-ignore
  FOOTBALL: [
    'possessionPct', 'expectedGoals', 'shots', 'shotsOnTarget', 'passes', 'passesCompleted', 'passAccuracyPct', 'corners', 'offsides', 'fouls',
    'tacklesWon', 'interceptions', 'saves', 'yellowCards', 'redCards',
  ],
  // prettier-ignore
  BASKETBALL: [
    'fieldGoalsMade', 'fieldGoalsAttempted', 'fieldGoalPct', 'threePointersMade', 'threePointersAttempted', 'threePointPct', 'freeThrowsMade',
    'freeThrowsAttempted', 'freeThrowPct', 'rebounds', 'offensiveRebounds', 'defensiveRebounds', 'assists', 'steals', 'blocks', 'turnovers', 'fouls',
  ],
  VOLLEYBALL: [
    'kills',
    'aces',
    'blocks',
    'digs',
    'receptions',
    'receptionsPositive',
    'receptionPct',
    'serviceErrors',
    'attackErrors',
  ],
  // prettier-ignore
  RUGBY: [
    'possessionPct', 'territoryPct', 'metresGained', 'tackles', 'tacklesAttempted', 'tackleSuccessPct', 'turnoversWon', 'penaltiesConceded',
    'scrumsWon', 'lineoutsWon', 'yellowCards', 'redCards',
  ],
  COMBAT: ['strikesLanded', 'strikesAttempted', 'takedowns', 'takedownsAttempted', 'knockdowns', 'controlTimeMs'],
  // prettier-ignore
  TENNIS: [
    'aces', 'doubleFaults', 'firstServes', 'firstServesIn', 'firstServePct', 'breakPointsFaced', 'breakPointsSaved', 'breakPointsSavedPct',
    'winners', 'unforcedErrors', 'pointsWon',
  ],
  HANDBALL: [
    'shots',
    'goals',
    'shotEfficiencyPct',
    'sevenMetreGoals',
    'saves',
    'turnovers',
    'suspensions',
    'yellowCards',
    'redCards',
  ],
};

export type TeamMetric = { readonly key: string } & MetricRow;

/** The metrics of a side in a match of a sport; none for races. */
export const teamMetricsOf = (sport: Sport): readonly TeamMetric[] =>
  (bySport[sport] ?? []).map((key) => ({ key, ...rows[key] }));
