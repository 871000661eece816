/** The winner and loser of a match or of a tie of several matches. Placeholders are filled with them. */
import { standingOf, type TieMatch, type TieRules } from '../rankings/tie.ts';
import type { MatchDuration } from '../generated/resolvers.ts';
import type { EndingValue, ParticipantPart } from './rows.ts';

export interface TieEntry {
  readonly participantId: string | null;
  readonly bye: boolean;
  /** Null without a result that counts. */
  readonly part: ParticipantPart | null;
}

export interface PlayedMatch {
  readonly id: string;
  readonly leg: number | null;
  readonly duration: MatchDuration | null;
  readonly endedBy: EndingValue | null;
  /** In program order. */
  readonly entries: readonly TieEntry[];
}

export interface TieOutcome {
  readonly winnerId: string | null;
  readonly loserId: string | null;
  /** All participants. */
  readonly participantIds: readonly string[];
}

const pairOf = (one: number | null | undefined, other: number | null | undefined): readonly [number, number] | null =>
  typeof one === 'number' && typeof other === 'number' ? [one, other] : null;

/** The winner by outcome, or the first by rank. */
const winnerOf = (entries: readonly TieEntry[]): string | null =>
  entries.find(({ part }) => part?.outcome === 'WIN' || (part?.outcome === null && part.rank === 1 && !part.vacated))
    ?.participantId ?? null;

function resultOf({ entries, duration, endedBy }: PlayedMatch): TieMatch['result'] {
  const [one, other] = entries.map(({ part }) => part);
  if (!one || !other) return null;
  return {
    scores: pairOf(one.score, other.score),
    shootoutScores: pairOf(one.shootoutScore, other.shootoutScore),
    duration: duration ?? 'REGULAR',
    winnerId: winnerOf(entries),
    endedBy: endedBy?.method ?? null,
  };
}

/** The outcome of a race: its winner is the only participant with rank 1. */
function raceOutcome(entries: readonly TieEntry[], participantIds: readonly string[]): TieOutcome {
  const first = entries.filter(({ part }) => part?.rank === 1 && !part.vacated);
  return { winnerId: first.length === 1 ? (first[0]?.participantId ?? null) : null, loserId: null, participantIds };
}

/**
 * The outcome of the matches of one tie. Winner and loser are null while it is open. With a bye, the other side wins without a match.
 * `matches` must not be empty.
 */
export function tieOutcome(matches: readonly PlayedMatch[], rules: TieRules): TieOutcome {
  const [first] = matches.toSorted((one, other) => (one.leg ?? 1) - (other.leg ?? 1) || (one.id < other.id ? -1 : 1));
  const entries = first?.entries ?? [];
  const participantIds = entries.flatMap(({ participantId }) => participantId ?? []);
  const [one, other] = participantIds;
  if (entries.some(({ bye }) => bye)) return { winnerId: one ?? null, loserId: null, participantIds };
  if (entries.length > 2) return raceOutcome(entries, participantIds);
  if (one === undefined || other === undefined) return { winnerId: null, loserId: null, participantIds };
  const played = matches.map((match) => {
    const [home, away] = match.entries.map(({ participantId }) => participantId);
    return {
      matchId: match.id,
      leg: match.leg ?? 1,
      participantIds: [home ?? one, away ?? other] as const,
      result: resultOf(match),
    };
  });
  const { advancedId } = standingOf(played, [one, other], rules);
  return { winnerId: advancedId, loserId: advancedId === null ? null : advancedId === one ? other : one, participantIds };
}
