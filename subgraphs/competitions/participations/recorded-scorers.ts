/** Whether the actions of a match account for its result, so that a player without a goal has 0 goals rather than an unknown number. */
import type { Sport } from '../../../schema/sports.ts';

/** A side with its score. */
export interface ScoringSide {
  readonly participantId: string | null;
  readonly athleteIds: readonly string[];
  /** Null without a result that counts. */
  readonly score: number | null;
}

export interface ScoringAction {
  readonly type: string;
  readonly participantId?: string | null | undefined;
  readonly athleteId?: string | null | undefined;
  readonly assistId?: string | null | undefined;
  /** Players without a profile. */
  readonly athleteName?: string | null | undefined;
  readonly assistName?: string | null | undefined;
}

/** The points of scoring actions, in sports whose score is the sum of them. Rugby is not listed: its points depend on the code. */
const pointsBySport: Partial<Record<Sport, Readonly<Record<string, number>>>> = {
  FOOTBALL: { GOAL: 1, PENALTY_GOAL: 1, OWN_GOAL: 1 },
  HANDBALL: { GOAL: 1, PENALTY_GOAL: 1, OWN_GOAL: 1 },
  BASKETBALL: { FREE_THROW: 1, TWO_POINTS: 2, THREE_POINTS: 3 },
};

/** The side of an action: the one it names, or that of its player. */
function sideOf(action: ScoringAction, sides: readonly ScoringSide[]): number {
  const { participantId, athleteId } = action;
  return participantId
    ? sides.findIndex((side) => side.participantId === participantId)
    : sides.findIndex((side) => !!athleteId && side.athleteIds.includes(athleteId));
}

export interface RecordedScorers {
  /** Whether the scoring actions add up to the score of each side, and each names its scorer. */
  readonly scorersKnown: boolean;
  /** Whether, in addition, assists are recorded: an action names one, or there is no scoring action. */
  readonly assistsKnown: boolean;
}

const unknown: RecordedScorers = { scorersKnown: false, assistsKnown: false };

/** Compares the scoring actions of a match with its result. An own goal counts for the other side and needs no name. */
export function recordedScorers(sport: Sport, sides: readonly ScoringSide[], actions: readonly ScoringAction[]): RecordedScorers {
  const points = pointsBySport[sport];
  if (points === undefined || sides.length !== 2 || sides.some(({ score }) => score === null)) return unknown;
  const scoring = actions.filter(({ type }) => points[type] !== undefined);
  const totals = [0, 0];
  for (const action of scoring) {
    const isOwnGoal = action.type === 'OWN_GOAL';
    const side = sideOf(action, sides);
    if (side === -1 || (!isOwnGoal && !action.athleteId && !action.athleteName)) return unknown;
    const credited = isOwnGoal ? 1 - side : side;
    totals[credited] = (totals[credited] ?? 0) + (points[action.type] ?? 0);
  }
  if (sides.some(({ score }, index) => score !== totals[index])) return unknown;
  const hasAssists = scoring.some(({ assistId, assistName }) => !!assistId || !!assistName);
  return { scorersKnown: true, assistsKnown: hasAssists || scoring.length === 0 };
}
