/** Who wins and who loses a match or a tie of several: whom the places that wait for it are given to. */
import { standingOf, type TieMatch, type TieRules } from '../rankings/tie.ts';
import type { EndingValue, ParticipantPart } from './rows.ts';
import type { MatchDuration } from '../resolvers.generated.ts';

export interface TieEntry {
  readonly participantId: string | null;
  readonly bye: boolean;
  /** Null where the result does not count, or there is none. */
  readonly part: ParticipantPart | null;
}

export interface PlayedMatch {
  readonly id: string;
  readonly leg: number | null;
  readonly duration: MatchDuration | null;
  readonly endedBy: EndingValue | null;
  /** In the order of the programme. */
  readonly entries: readonly TieEntry[];
}

export interface GoesOn {
  readonly winnerId: string | null;
  readonly loserId: string | null;
  /** Everybody who takes part. */
  readonly participantIds: readonly string[];
}

const pairOf = (one: number | null | undefined, other: number | null | undefined): readonly [number, number] | null =>
  typeof one === 'number' && typeof other === 'number' ? [one, other] : null;

/** Whoever won, or came first where places decide. */
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

/** Of a race, or a heat of more than two: whoever came first alone. */
function firstOf(entries: readonly TieEntry[], participantIds: readonly string[]): GoesOn {
  const first = entries.filter(({ part }) => part?.rank === 1 && !part.vacated);
  return { winnerId: first.length === 1 ? (first[0]?.participantId ?? null) : null, loserId: null, participantIds };
}

/**
 * Who goes on from the matches of one tie; nobody while it is open. Where one side is a bye the other goes on without a match.
 * `matches` holds at least one.
 */
export function goesOn(matches: readonly PlayedMatch[], rules: TieRules): GoesOn {
  const [first] = matches.toSorted((one, other) => (one.leg ?? 1) - (other.leg ?? 1) || (one.id < other.id ? -1 : 1));
  const entries = first?.entries ?? [];
  const participantIds = entries.flatMap(({ participantId }) => participantId ?? []);
  const [one, other] = participantIds;
  if (entries.some(({ bye }) => bye)) return { winnerId: one ?? null, loserId: null, participantIds };
  if (entries.length > 2) return firstOf(entries, participantIds);
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
