/** What is counted of an athlete in a match, by sport: nothing but what the facts of the match tell. */
import { bestMetrics, metrics, type MetricKey } from '../../../schema/metrics.ts';
import { positionGroup, type Sport } from '../../../schema/sports.ts';

/** What the competitions area tells of an athlete in a match. */
export interface Participation {
  readonly athleteId: string;
  readonly teamId: string | null;
  /** In a team sheet, and not alone. */
  readonly inTeam: boolean;
  readonly played: boolean;
  /** Null where nobody can know. */
  readonly minutes: number | null;
  readonly outcome: 'WIN' | 'LOSS' | 'DRAW' | 'NO_CONTEST' | null;
  readonly rank: number | null;
  readonly mark: number | null;
  readonly unit: string | null;
  /** Positive is a tail wind. */
  readonly windMmPerS: number | null;
  readonly reactionTimeMs: number | null;
  /** Code of the position on the team sheet. */
  readonly position: string | null;
  /** What the other side scored; null where nobody can. */
  readonly conceded: number | null;
  readonly method: string | null;
  /** As assist: of a substitution, who went out. */
  readonly actions: readonly { readonly type: string; readonly assist: boolean; readonly count: number }[];
}

/** What the competitions area tells of a match. */
export interface MatchFacts {
  readonly id: string;
  readonly sport: Sport;
  readonly seasonId: string;
  readonly competitionId: string;
  readonly eventCode: string | null;
  readonly published: boolean;
  /** YYYY-MM-DD. */
  readonly date: string | null;
  /** Whether the result is official or corrected. */
  readonly counts: boolean;
  readonly participations: readonly Participation[];
}

/** Null where the facts tell nothing. */
export type MetricCounter = (participation: Participation) => number | null;

/** How often the athlete did any of it. None says nothing: of many matches only the result is known. */
const did =
  (types: readonly string[], assist = false): MetricCounter =>
  ({ actions }) => {
    const count = actions.reduce(
      (sum, each) => (each.assist === assist && types.includes(each.type) ? sum + each.count : sum),
      0,
    );
    return count > 0 ? count : null;
  };

const ended =
  (outcome: Participation['outcome']): MetricCounter =>
  (participation) =>
    participation.outcome === null ? null : Number(participation.outcome === outcome);

const wonBy =
  (method: string): MetricCounter =>
  (participation) =>
    participation.outcome === null ? null : Number(participation.outcome === 'WIN' && participation.method === method);

const points: MetricCounter = (participation) => {
  const baskets = [did(['FREE_THROW']), did(['TWO_POINTS']), did(['THREE_POINTS'])].map((count) => count(participation) ?? 0);
  const sum = baskets.reduce((all, count, index) => all + count * (index + 1), 0);
  return sum > 0 ? sum : null;
};

/** A member of a relay has no mark of its own. */
const alone =
  (counted: MetricCounter): MetricCounter =>
  (participation) =>
    participation.inTeam ? null : counted(participation);

/** A record needs a tail wind of 2.0 m/s at most (World Athletics, Competition Rules C1.1, CR31). */
const legalWindMmPerS = 2000;

const markIn = (unit: string): MetricCounter =>
  alone((participation) => {
    const legal = participation.unit === unit && (participation.windMmPerS ?? 0) <= legalWindMmPerS;
    return legal ? participation.mark : null;
  });

const leaving = ['SUBSTITUTION', 'RED_CARD', 'SECOND_YELLOW_CARD'];

/** What the team conceded, where the athlete was on the field for all of it, in one of the positions. */
const concededAt =
  (groups: readonly string[], counted: (conceded: number) => number): MetricCounter =>
  ({ position, conceded, inTeam, actions }) => {
    const group = position === null ? undefined : positionGroup('FOOTBALL', position);
    const whole = inTeam && !actions.some(({ type }) => leaving.includes(type));
    return whole && conceded !== null && group !== undefined && groups.includes(group) ? counted(conceded) : null;
  };

const goals = ['GOAL', 'PENALTY_GOAL'];
/** The second yellow card is a yellow one and a red one (IFAB, Laws of the Game, law 12). */
const cards = {
  yellowCards: did(['YELLOW_CARD', 'SECOND_YELLOW_CARD']),
  redCards: did(['RED_CARD', 'SECOND_YELLOW_CARD']),
};
const best = {
  [bestMetrics.ms.season]: markIn('ms'),
  [bestMetrics.mm.season]: markIn('mm'),
  [bestMetrics.points.season]: markIn('points'),
};
const reactionTimeMs: MetricCounter = alone((participation) => participation.reactionTimeMs);

/** What is counted of each sport. */
const counting: Readonly<Record<Sport, Partial<Record<MetricKey, MetricCounter>>>> = {
  FOOTBALL: {
    goals: did(goals),
    assists: did(goals, true),
    saves: did(['SAVE']),
    cleanSheets: concededAt(metrics.cleanSheets.positions ?? [], (conceded) => Number(conceded === 0)),
    goalsConceded: concededAt(metrics.goalsConceded.positions ?? [], (conceded) => conceded),
    ...cards,
  },
  BASKETBALL: {
    points,
    assists: did(['TWO_POINTS', 'THREE_POINTS'], true),
    fieldGoalsMade: did(['TWO_POINTS', 'THREE_POINTS']),
    threePointersMade: did(['THREE_POINTS']),
  },
  VOLLEYBALL: { aces: did(['ACE']) },
  RUGBY: { tries: did(['TRY']), ...cards },
  COMBAT: {
    wins: ended('WIN'),
    losses: ended('LOSS'),
    draws: ended('DRAW'),
    noContests: ended('NO_CONTEST'),
    knockouts: wonBy('KO_TKO'),
    submissions: wonBy('SUBMISSION'),
  },
  TENNIS: { matchesWon: ended('WIN'), aces: did(['ACE']) },
  ATHLETICS: { ...best, reactionTimeMs },
  SWIMMING: { seasonBestMs: markIn('ms'), reactionTimeMs },
  CYCLING: {},
  HANDBALL: {
    goals: did(goals),
    assists: did(goals, true),
    saves: did(['SAVE']),
    sevenMetreGoals: did(['PENALTY_GOAL']),
    ...cards,
  },
};

/** A stage is won by whoever is first in a race of the event. */
const stageWins: MetricCounter = alone(({ rank }) => (rank === null ? null : Number(rank === 1)));

/** The metrics of a match of a sport, and how each is counted. */
export function metricCounters(sport: Sport, eventCode: string | null): Partial<Record<MetricKey, MetricCounter>> {
  return eventCode === 'STAGE_RACE' ? { ...counting[sport], stageWins } : counting[sport];
}
