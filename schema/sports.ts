/** The sports: disciplines, positions, events, metrics and default ranking rules. */
import { athleticsEvents, combatEvents, cyclingEvents, swimmingEvents } from './event-codes.ts';
import type { EventCodes, EventRow } from './event-codes.ts';
import { keysOf } from './records.ts';
import { commonMetrics, metrics } from './metrics.ts';
import type { MetricKey, MetricRow } from './metrics.ts';
import {
  basketballPositions,
  cyclingPositions,
  footballPositions,
  handballPositions,
  rugbyPositions,
  volleyballPositions,
} from './positions.ts';
import type { PositionGroups } from './positions.ts';
import { rankingRuleSets } from './ranking-rules.ts';
import type { RankingRules, RankingRuleSet } from './ranking-rules.ts';

export interface SportRow {
  readonly title: string;
  readonly disciplines: readonly string[];
  readonly positionGroups: PositionGroups;
  /** Events by discipline; empty for a sport that only plays matches. */
  readonly eventCodes: EventCodes;
  /** Metrics of the sport, in addition to `commonMetrics`. */
  readonly metrics: readonly MetricKey[];
  /** Default ranking rules of a new competition, for the sport and for disciplines that differ. */
  readonly rankingRules: RankingRuleSet;
  readonly rankingRulesByDiscipline?: Readonly<Record<string, RankingRuleSet>>;
}

export const sports = {
  FOOTBALL: {
    title: 'Football',
    disciplines: ['ASSOCIATION', 'FUTSAL', 'BEACH'],
    positionGroups: footballPositions,
    eventCodes: {},
    metrics: [
      'goals',
      'assists',
      'shots',
      'shotsOnTarget',
      'passes',
      'passesCompleted',
      'passAccuracyPct',
      'tacklesWon',
      'interceptions',
      'saves',
      'cleanSheets',
      'goalsConceded',
      'yellowCards',
      'redCards',
      'sprint30mMs',
    ],
    rankingRules: 'FOOTBALL',
  },
  BASKETBALL: {
    title: 'Basketball',
    disciplines: ['5X5', '3X3'],
    positionGroups: basketballPositions,
    eventCodes: {},
    metrics: [
      'points',
      'rebounds',
      'assists',
      'steals',
      'blocks',
      'turnovers',
      'fieldGoalsMade',
      'fieldGoalsAttempted',
      'fieldGoalPct',
      'threePointersMade',
      'threePointersAttempted',
      'threePointPct',
    ],
    rankingRules: 'BASKETBALL',
  },
  VOLLEYBALL: {
    title: 'Volleyball',
    disciplines: ['INDOOR', 'BEACH'],
    positionGroups: volleyballPositions,
    eventCodes: {},
    metrics: ['kills', 'aces', 'blocks', 'digs', 'receptions', 'receptionsPositive', 'receptionPct'],
    rankingRules: 'VOLLEYBALL',
  },
  RUGBY: {
    title: 'Rugby',
    disciplines: ['UNION_15S', 'SEVENS', 'LEAGUE'],
    positionGroups: rugbyPositions,
    eventCodes: {},
    metrics: [
      'tries',
      'metresGained',
      'tackles',
      'tacklesAttempted',
      'tackleSuccessPct',
      'turnoversWon',
      'yellowCards',
      'redCards',
    ],
    rankingRules: 'RUGBY',
    rankingRulesByDiscipline: { SEVENS: 'RUGBY_SEVENS', LEAGUE: 'RUGBY_LEAGUE' },
  },
  COMBAT: {
    title: 'Combat sports',
    disciplines: ['BOXING', 'JUDO', 'TAEKWONDO', 'WRESTLING', 'MMA', 'KARATE'],
    positionGroups: {},
    eventCodes: combatEvents,
    metrics: [
      'wins',
      'losses',
      'draws',
      'noContests',
      'knockouts',
      'submissions',
      'strikesLanded',
      'strikesLandedPerMinute',
      'takedownsFaced',
      'takedownsDefended',
      'takedownDefencePct',
    ],
    rankingRules: 'COMBAT',
  },
  TENNIS: {
    title: 'Tennis',
    disciplines: ['SINGLES', 'DOUBLES'],
    positionGroups: {},
    eventCodes: {},
    metrics: [
      'matchesWon',
      'winPct',
      'aces',
      'doubleFaults',
      'firstServes',
      'firstServesIn',
      'firstServePct',
      'breakPointsFaced',
      'breakPointsSaved',
      'breakPointsSavedPct',
      'rankingPoints',
    ],
    rankingRules: 'TENNIS',
  },
  ATHLETICS: {
    title: 'Athletics',
    disciplines: ['TRACK', 'FIELD', 'ROAD', 'COMBINED'],
    positionGroups: {},
    eventCodes: athleticsEvents,
    metrics: [
      'personalBestMs',
      'seasonBestMs',
      'personalBestMm',
      'seasonBestMm',
      'personalBestPoints',
      'seasonBestPoints',
      'reactionTimeMs',
    ],
    rankingRules: 'MARK',
  },
  SWIMMING: {
    title: 'Swimming',
    disciplines: ['POOL', 'OPEN_WATER'],
    positionGroups: {},
    eventCodes: swimmingEvents,
    metrics: ['personalBestMs', 'seasonBestMs', 'reactionTimeMs'],
    rankingRules: 'MARK',
  },
  CYCLING: {
    title: 'Cycling',
    disciplines: ['ROAD', 'TRACK', 'MTB', 'BMX'],
    positionGroups: cyclingPositions,
    eventCodes: cyclingEvents,
    metrics: ['stageWins', 'gcTimeMs', 'uciPoints', 'wattsPerKg'],
    rankingRules: 'CYCLING',
  },
  HANDBALL: {
    title: 'Handball',
    disciplines: ['INDOOR', 'BEACH'],
    positionGroups: handballPositions,
    eventCodes: {},
    metrics: ['goals', 'assists', 'shots', 'shotEfficiencyPct', 'saves', 'sevenMetreGoals', 'yellowCards', 'redCards'],
    rankingRules: 'HANDBALL',
  },
} as const satisfies Record<string, SportRow>;

export type Sport = keyof typeof sports;

/** Most players of a side at the start of a match. In volleyball, the six and a libero. Other disciplines of a sport have fewer. */
export const startersMax: Readonly<Partial<Record<Sport, number>>> = {
  FOOTBALL: 11,
  BASKETBALL: 5,
  VOLLEYBALL: 7,
  RUGBY: 15,
  HANDBALL: 7,
};

/**
 * Sports whose rules play on until there is a winner: FIBA Official Basketball Rules 8.7, FIVB Official Volleyball Rules 6.3, ITF Rules of
 * Tennis 7. A competition whose table awards points for a draw allows it.
 */
export const sportsWithoutDraw: readonly Sport[] = ['BASKETBALL', 'VOLLEYBALL', 'TENNIS'];

const rows: Readonly<Record<Sport, SportRow>> = sports;

/** In display order. */
export const sportNames = keysOf(sports);

/** The event of a sport, with the discipline it belongs to; undefined for an unknown code. */
export function eventOf(sport: Sport, eventCode: string): (EventRow & { readonly discipline: string }) | undefined {
  for (const [discipline, events] of Object.entries(rows[sport].eventCodes)) {
    const event = Object.hasOwn(events, eventCode) ? events[eventCode] : undefined;
    if (event) return { ...event, discipline };
  }
  return undefined;
}

type SportMetric = { readonly key: MetricKey } & MetricRow;

// created once: statistics read the metrics for every row
const metricsBySport = new Map<Sport, readonly SportMetric[]>();

/** The metrics of a sport, common ones last, each with its key. */
export function metricsOf(sport: Sport): readonly SportMetric[] {
  const known = metricsBySport.get(sport);
  if (known) return known;
  const created = [...rows[sport].metrics, ...commonMetrics].map((key): SportMetric => ({ key, ...metrics[key] }));
  metricsBySport.set(sport, created);
  return created;
}

/** The default ranking rules of a competition of a sport and discipline. */
export function rankingRulesOf(sport: Sport, discipline?: string | null): RankingRules {
  const row = rows[sport];
  const ofDiscipline = discipline ? row.rankingRulesByDiscipline?.[discipline] : undefined;
  return rankingRuleSets[ofDiscipline ?? row.rankingRules];
}
