/** The metrics of athletes. A key has the same meaning in every sport that uses it. */
export type Unit = 'count' | 'min' | 'ms' | 'mm' | 'm' | 'cm' | 'kg' | 'pct' | 'points' | 'perMin' | 'W/kg' | 'ml/kg/min';

export type Aggregation =
  'SUM' | 'AVG' | 'MAX' | 'MIN' | 'LAST' | { readonly ratio: readonly [numerator: string, denominator: string] };

export interface MetricRow {
  readonly title: string;
  readonly unit: Unit;
  readonly valueType: 'INTEGER' | 'DECIMAL';
  readonly direction: 'HIGHER_IS_BETTER' | 'LOWER_IS_BETTER' | 'NEUTRAL';
  /** How match values aggregate to a season value. A ratio divides the sums of two metrics, times 100 when the unit is pct. */
  readonly aggregation: Aggregation;
  /** Bounds of a plausible value in any scope, including a career. */
  readonly min: number;
  readonly max: number;
  /** Position groups that the metric applies to; absent when it applies to all. */
  readonly positions?: readonly string[];
}

type Direction = MetricRow['direction'];

const count = (
  title: string,
  max: number,
  direction: Direction = 'HIGHER_IS_BETTER',
  positions?: readonly string[],
): MetricRow => ({
  title,
  unit: 'count',
  valueType: 'INTEGER',
  direction,
  aggregation: 'SUM',
  min: 0,
  max,
  ...(positions && { positions }),
});

const percentage = (title: string, numerator: string, denominator: string): MetricRow => ({
  title,
  unit: 'pct',
  valueType: 'DECIMAL',
  direction: 'HIGHER_IS_BETTER',
  aggregation: { ratio: [numerator, denominator] },
  min: 0,
  max: 100,
});

const best = (title: string, unit: 'ms' | 'mm' | 'points', max: number): MetricRow => ({
  title,
  unit,
  valueType: 'INTEGER',
  direction: unit === 'ms' ? 'LOWER_IS_BETTER' : 'HIGHER_IS_BETTER',
  aggregation: unit === 'ms' ? 'MIN' : 'MAX',
  min: 1,
  max,
});

const measurement = (title: string, unit: Unit, valueType: MetricRow['valueType'], min: number, max: number): MetricRow => ({
  title,
  unit,
  valueType,
  direction: 'NEUTRAL',
  aggregation: 'LAST',
  min,
  max,
});

const dayMs = 86_400_000;

export const metrics = {
  // Every sport
  matchesPlayed: count('Matches played', 5_000),
  minutesPlayed: { ...count('Minutes played', 300_000), unit: 'min' },
  heightCm: measurement('Height', 'cm', 'INTEGER', 50, 260),
  weightKg: measurement('Weight', 'kg', 'DECIMAL', 10, 300),
  wingspanCm: measurement('Wingspan', 'cm', 'INTEGER', 50, 290),
  vo2max: { ...measurement('Maximal oxygen uptake', 'ml/kg/min', 'DECIMAL', 10, 100), direction: 'HIGHER_IS_BETTER' },

  // Team sports; goals, assists, shots, saves, points, aces and blocks are shared between several
  goals: count('Goals', 5_000),
  assists: count('Assists', 20_000),
  shots: count('Shots', 20_000),
  shotsOnTarget: count('Shots on target', 10_000),
  saves: count('Saves', 20_000, 'HIGHER_IS_BETTER', ['GK']),
  points: count('Points', 60_000),
  aces: count('Aces', 20_000),
  blocks: count('Blocks', 10_000),
  tackles: count('Tackles made', 10_000),
  yellowCards: count('Yellow cards', 500, 'LOWER_IS_BETTER'),
  redCards: count('Red cards', 100, 'LOWER_IS_BETTER'),

  // Football
  passes: count('Passes', 200_000, 'NEUTRAL'),
  passesCompleted: count('Passes completed', 200_000),
  passAccuracyPct: percentage('Pass accuracy', 'passesCompleted', 'passes'),
  tacklesWon: count('Tackles won', 10_000),
  interceptions: count('Interceptions', 10_000),
  cleanSheets: count('Clean sheets', 1_000, 'HIGHER_IS_BETTER', ['GK', 'DF']),
  goalsConceded: count('Goals conceded', 5_000, 'LOWER_IS_BETTER', ['GK']),
  sprint30mMs: best('30 metres sprint', 'ms', 15_000),

  // Basketball
  rebounds: count('Rebounds', 40_000),
  steals: count('Steals', 10_000),
  turnovers: count('Turnovers', 10_000, 'LOWER_IS_BETTER'),
  fieldGoalsMade: count('Field goals made', 30_000),
  fieldGoalsAttempted: count('Field goals attempted', 60_000, 'NEUTRAL'),
  fieldGoalPct: percentage('Field goal percentage', 'fieldGoalsMade', 'fieldGoalsAttempted'),
  threePointersMade: count('Three-pointers made', 10_000),
  threePointersAttempted: count('Three-pointers attempted', 30_000, 'NEUTRAL'),
  threePointPct: percentage('Three-point percentage', 'threePointersMade', 'threePointersAttempted'),

  // Volleyball
  kills: count('Kills', 20_000),
  digs: count('Digs', 20_000),
  receptions: count('Receptions', 40_000, 'NEUTRAL'),
  receptionsPositive: count('Positive receptions', 40_000),
  receptionPct: percentage('Positive reception', 'receptionsPositive', 'receptions'),

  // Rugby
  tries: count('Tries', 1_000),
  metresGained: { ...count('Metres gained', 100_000), unit: 'm' },
  tacklesAttempted: count('Tackles attempted', 10_000, 'NEUTRAL'),
  tackleSuccessPct: percentage('Tackle success', 'tackles', 'tacklesAttempted'),
  turnoversWon: count('Turnovers won', 2_000),

  // Handball
  shotEfficiencyPct: percentage('Shot efficiency', 'goals', 'shots'),
  sevenMetreGoals: count('Seven-metre goals', 2_000),

  // Tennis
  matchesWon: count('Matches won', 3_000),
  winPct: percentage('Win percentage', 'matchesWon', 'matchesPlayed'),
  doubleFaults: count('Double faults', 10_000, 'LOWER_IS_BETTER'),
  firstServes: count('First serves', 200_000, 'NEUTRAL'),
  firstServesIn: count('First serves in', 200_000),
  firstServePct: percentage('First serve percentage', 'firstServesIn', 'firstServes'),
  breakPointsFaced: count('Break points faced', 30_000, 'LOWER_IS_BETTER'),
  breakPointsSaved: count('Break points saved', 30_000),
  breakPointsSavedPct: percentage('Break point save percentage', 'breakPointsSaved', 'breakPointsFaced'),
  rankingPoints: { ...count('Ranking points', 50_000), unit: 'points', aggregation: 'LAST' },

  // Athletics and swimming: the statistics row names the event, its mark names the unit
  personalBestMs: best('Personal best (time)', 'ms', dayMs),
  seasonBestMs: best('Season best (time)', 'ms', dayMs),
  personalBestMm: best('Personal best (distance or height)', 'mm', 150_000),
  seasonBestMm: best('Season best (distance or height)', 'mm', 150_000),
  personalBestPoints: best('Personal best (points)', 'points', 12_000),
  seasonBestPoints: best('Season best (points)', 'points', 12_000),
  // Negative in a relay: a take-over may start up to 30 ms before the touch; an earlier one is disqualified.
  reactionTimeMs: { ...best('Reaction time', 'ms', 5_000), min: -1_000 },

  // Cycling
  stageWins: count('Stage wins', 500),
  gcTimeMs: { ...best('General classification time', 'ms', 30 * dayMs), aggregation: 'SUM' },
  uciPoints: { ...count('UCI points', 100_000), unit: 'points' },
  wattsPerKg: {
    ...measurement('Power to weight', 'W/kg', 'DECIMAL', 0.5, 30),
    direction: 'HIGHER_IS_BETTER',
    aggregation: 'MAX',
  },

  // Combat
  wins: count('Wins', 1_000),
  losses: count('Losses', 1_000, 'LOWER_IS_BETTER'),
  draws: count('Draws', 500, 'NEUTRAL'),
  noContests: count('No contests', 100, 'NEUTRAL'),
  knockouts: count('Wins by knockout', 500),
  submissions: count('Wins by submission', 500),
  strikesLanded: count('Strikes landed', 100_000),
  strikesLandedPerMinute: {
    ...count('Strikes landed per minute', 60),
    unit: 'perMin',
    valueType: 'DECIMAL',
    aggregation: { ratio: ['strikesLanded', 'minutesPlayed'] },
  },
  takedownsFaced: count('Takedowns faced', 5_000, 'NEUTRAL'),
  takedownsDefended: count('Takedowns defended', 5_000),
  takedownDefencePct: percentage('Takedown defence', 'takedownsDefended', 'takedownsFaced'),
} satisfies Record<string, MetricRow>;

export type MetricKey = keyof typeof metrics;

/** Metrics that apply to every sport. */
export const commonMetrics = [
  'matchesPlayed',
  'minutesPlayed',
  'heightCm',
  'weightKg',
  'wingspanCm',
  'vo2max',
] as const satisfies MetricKey[];

const rows: Readonly<Record<string, MetricRow>> = metrics;

/** The row of a metric; undefined for an unknown key. */
export function metric(key: string): MetricRow | undefined {
  return Object.hasOwn(rows, key) ? rows[key] : undefined;
}

/** Keys of the best marks of an event whose mark has this unit. The `eventCode` of the statistics row names the event. */
export const bestMetrics = {
  ms: { personal: 'personalBestMs', season: 'seasonBestMs' },
  mm: { personal: 'personalBestMm', season: 'seasonBestMm' },
  points: { personal: 'personalBestPoints', season: 'seasonBestPoints' },
} as const satisfies Record<string, { personal: MetricKey; season: MetricKey }>;
