/** Computes the metrics of an athlete in a match, by sport, from the recorded facts of the match only. */
import { bestMetrics, metrics, type MetricKey } from '../../../schema/metrics.ts';
import { positionGroup } from '../../../schema/position-codes.ts';
import type { Sport } from '../../../schema/sports.ts';

/** The facts of an athlete in a match, as the competitions area publishes them. */
export interface Participation {
  readonly athleteId: string;
  readonly teamId: string | null;
  /** Whether the athlete is on a team sheet, rather than an individual participant. */
  readonly inTeam: boolean;
  readonly played: boolean;
  /** Null when unknown. */
  readonly minutes: number | null;
  readonly outcome: 'WIN' | 'LOSS' | 'DRAW' | 'NO_CONTEST' | null;
  readonly rank: number | null;
  readonly mark: number | null;
  readonly unit: string | null;
  /** Positive for a tail wind. */
  readonly windMmPerS: number | null;
  readonly reactionTimeMs: number | null;
  /** Code of the position on the team sheet. */
  readonly position: string | null;
  /** Score of the opponent. Null when the match has no opponent or score. */
  readonly conceded: number | null;
  readonly method: string | null;
  /** `assist` marks the second athlete of an action. In a substitution, this is the athlete who leaves. */
  readonly actions: readonly { readonly type: string; readonly assist: boolean; readonly count: number }[];
}

/** The facts of a match, as the competitions area publishes them. */
export interface MatchFacts {
  readonly id: string;
  readonly sport: Sport;
  readonly seasonId: string;
  readonly competitionId: string;
  readonly eventCode: string | null;
  readonly published: boolean;
  /** YYYY-MM-DD. */
  readonly date: string | null;
  /** Whether the result is official or corrected, so that the match counts. */
  readonly counts: boolean;
  /** Whether every scorer is recorded, so that all others have 0. */
  readonly scorersKnown: boolean;
  /** Whether, in addition, assists are recorded. */
  readonly assistsKnown: boolean;
  readonly participations: readonly Participation[];
}

/** Computes a metric of one participation. Null when the facts do not determine it. */
export type MetricCounter = (participation: Participation) => number | null;

/**
 * Counts actions of the given types. Null instead of zero, because many matches have a result but no recorded actions; `isRecorded` says of
 * which metrics an absent action is a zero.
 */
const countActions =
  (types: readonly string[], assist = false): MetricCounter =>
  ({ actions }) => {
    const count = actions.reduce(
      (sum, each) => (each.assist === assist && types.includes(each.type) ? sum + each.count : sum),
      0,
    );
    return count > 0 ? count : null;
  };

const outcomeIs =
  (outcome: Participation['outcome']): MetricCounter =>
  (participation) =>
    participation.outcome === null ? null : Number(participation.outcome === outcome);

const wonBy =
  (method: string): MetricCounter =>
  (participation) =>
    participation.outcome === null ? null : Number(participation.outcome === 'WIN' && participation.method === method);

const points: MetricCounter = (participation) => {
  const baskets = [countActions(['FREE_THROW']), countActions(['TWO_POINTS']), countActions(['THREE_POINTS'])].map(
    (count) => count(participation) ?? 0,
  );
  const sum = baskets.reduce((all, count, index) => all + count * (index + 1), 0);
  return sum > 0 ? sum : null;
};

/** Null for members of a relay or team, who have no individual mark. */
const individual =
  (counted: MetricCounter): MetricCounter =>
  (participation) =>
    participation.inTeam ? null : counted(participation);

/** A record needs a tail wind of 2.0 m/s at most (World Athletics, Competition Rules C1.1, CR31). */
const legalWindMmPerS = 2000;

const markIn = (unit: string): MetricCounter =>
  individual((participation) => {
    const legal = participation.unit === unit && (participation.windMmPerS ?? 0) <= legalWindMmPerS;
    return legal ? participation.mark : null;
  });

const leavingActions = ['SUBSTITUTION', 'RED_CARD', 'SECOND_YELLOW_CARD'];

/** Goals that the team conceded, for athletes in one of the position groups who played the whole match. */
const concededBy =
  (groups: readonly string[], counted: (conceded: number) => number): MetricCounter =>
  ({ position, conceded, inTeam, actions }) => {
    const group = position === null ? undefined : positionGroup('FOOTBALL', position);
    const whole = inTeam && !actions.some(({ type }) => leavingActions.includes(type));
    return whole && conceded !== null && group !== undefined && groups.includes(group) ? counted(conceded) : null;
  };

const goals = ['GOAL', 'PENALTY_GOAL'];
/** A second yellow card counts as a yellow and a red card (IFAB, Laws of the Game, law 12). */
const cards = {
  yellowCards: countActions(['YELLOW_CARD', 'SECOND_YELLOW_CARD']),
  redCards: countActions(['RED_CARD', 'SECOND_YELLOW_CARD']),
};
const best = {
  [bestMetrics.ms.season]: markIn('ms'),
  [bestMetrics.mm.season]: markIn('mm'),
  [bestMetrics.points.season]: markIn('points'),
};
const reactionTimeMs: MetricCounter = individual((participation) => participation.reactionTimeMs);

/** The metrics of a match in each sport. */
const countersBySport: Readonly<Record<Sport, Partial<Record<MetricKey, MetricCounter>>>> = {
  FOOTBALL: {
    goals: countActions(goals),
    assists: countActions(goals, true),
    saves: countActions(['SAVE']),
    cleanSheets: concededBy(metrics.cleanSheets.positions ?? [], (conceded) => Number(conceded === 0)),
    goalsConceded: concededBy(metrics.goalsConceded.positions ?? [], (conceded) => conceded),
    ...cards,
  },
  BASKETBALL: {
    points,
    assists: countActions(['TWO_POINTS', 'THREE_POINTS'], true),
    fieldGoalsMade: countActions(['TWO_POINTS', 'THREE_POINTS']),
    threePointersMade: countActions(['THREE_POINTS']),
  },
  VOLLEYBALL: { aces: countActions(['ACE']) },
  RUGBY: { tries: countActions(['TRY']), ...cards },
  COMBAT: {
    wins: outcomeIs('WIN'),
    losses: outcomeIs('LOSS'),
    draws: outcomeIs('DRAW'),
    noContests: outcomeIs('NO_CONTEST'),
    knockouts: wonBy('KO_TKO'),
    submissions: wonBy('SUBMISSION'),
  },
  TENNIS: { matchesWon: outcomeIs('WIN'), aces: countActions(['ACE']) },
  ATHLETICS: { ...best, reactionTimeMs },
  SWIMMING: { seasonBestMs: markIn('ms'), reactionTimeMs },
  CYCLING: {},
  HANDBALL: {
    goals: countActions(goals),
    assists: countActions(goals, true),
    saves: countActions(['SAVE']),
    sevenMetreGoals: countActions(['PENALTY_GOAL']),
    ...cards,
  },
};

/** A stage win is rank 1 in a race of the event. */
const stageWins: MetricCounter = individual(({ rank }) => (rank === null ? null : Number(rank === 1)));

/** The metrics of a match in a sport and event, each with its function. */
export function metricCounters(sport: Sport, eventCode: string | null): Partial<Record<MetricKey, MetricCounter>> {
  return eventCode === 'STAGE_RACE' ? { ...countersBySport[sport], stageWins } : countersBySport[sport];
}

/** The metrics that the scoring actions of a match count completely, if they account for its result. */
const scoringMetrics: Partial<Record<Sport, { readonly scorers: readonly MetricKey[]; readonly assists: readonly MetricKey[] }>> =
  {
    FOOTBALL: { scorers: ['goals'], assists: ['assists'] },
    HANDBALL: { scorers: ['goals'], assists: ['assists'] },
    BASKETBALL: { scorers: ['points', 'fieldGoalsMade', 'threePointersMade'], assists: ['assists'] },
  };

/** Whether a metric counts scoring actions, so that its zero is known in some matches only. */
export function countsScoring(sport: Sport, key: MetricKey): boolean {
  const { scorers = [], assists = [] } = scoringMetrics[sport] ?? {};
  return scorers.includes(key) || assists.includes(key);
}

/** Whether a match records a metric, so that a player without a counted action has 0. */
export function isRecorded({ sport, scorersKnown, assistsKnown }: MatchFacts, key: MetricKey): boolean {
  const { scorers = [], assists = [] } = scoringMetrics[sport] ?? {};
  return (scorersKnown && scorers.includes(key)) || (assistsKnown && assists.includes(key));
}
