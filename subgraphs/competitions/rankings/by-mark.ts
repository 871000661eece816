/** Ranks one stage by mark over all its heats. Equal marks share a rank, and invalid results have none. */
import { betterFirst, invalidResultMarks, type Direction, type InvalidResultMark } from './mark.ts';
import { ascending, place, type Compare, type Separator } from './placing.ts';

/** The performance of a participant in a stage. A participant has at most one entry. */
export interface MarkEntry {
  readonly participantId: string;
  /** The heat. */
  readonly matchId: string;
  /** In the canonical unit of the event. Null without a mark. */
  readonly mark: number | null;
  readonly invalidResultMark?: InvalidResultMark | null;
  /** The place in this match according to the judges. It decides between equal marks of one match only (photo finish, road race in whole seconds). */
  readonly place?: number | null;
  /**
   * Values that decide between equal marks, in the direction of the event: further attempts of a throw or long jump, best first
   * (World Athletics C2.1 TR25.22), the time in tenths of a ms, or failures of a high jump as negative numbers (TR26.8).
   */
  readonly countback?: readonly number[];
  /** A tail wind is positive. */
  readonly windMmPerS?: number | null;
}

export type MarkCriterion = 'PLACE' | 'COUNTBACK' | 'SWIM_OFF';

export interface RankedMark<Entry extends MarkEntry = MarkEntry> {
  readonly entry: Entry;
  /** Null for an invalid result and without a result. */
  readonly rank: number | null;
  readonly shared: boolean;
  /** The criterion that decided between equal marks. */
  readonly separatedBy: MarkCriterion | null;
  /** Distance to the best mark in the unit of the mark, never negative. Null without a rank. */
  readonly gap: number | null;
  /** Tail wind of more than 2.0 m/s: the mark ranks, but is no record (World Athletics C1.1 CR31). */
  readonly windAssisted: boolean;
}

export interface MarkOptions {
  readonly direction: Direction;
  /** One list for each swim-off, jump-off or run-off, in order. Each decides between participants that are still tied. Marks do not change. */
  readonly decisions?: readonly (readonly MarkEntry[])[];
}

const legalWindMmPerS = 2000;

/** Whether the tail wind is above +2.0 m/s. A wind that was not measured is legal. */
export const isWindAssisted = (windMmPerS: number | null | undefined): boolean => (windMmPerS ?? 0) > legalWindMmPerS;

const isValid = ({ mark, invalidResultMark }: MarkEntry): boolean => mark !== null && !invalidResultMark;

/**
 * Ranks one stage over all its heats. Valid marks come first, and equal ones share a rank (World Aquatics SW 11.2). Invalid results follow without a
 * rank, in the order of `invalidResultMarks`, then entries without a result. Ties are listed by participant ID.
 */
export function rankByMark<Entry extends MarkEntry>(
  entries: readonly Entry[],
  { direction, decisions = [] }: MarkOptions,
): RankedMark<Entry>[] {
  const better = betterFirst(direction);
  const valid = entries.filter(isValid);
  const computed = [byCountback(better), ...decisions.map((decision) => byDecision(decision, better))];
  const placed = place<Entry, MarkCriterion>(valid, {
    by: (one, other) => better(markOf(one), markOf(other)),
    // the judges' places follow from the countback and the decisions; they decide alone where those are missing or differ
    separators: [...computed.map(unlessContradicted), byPlace(), ...computed],
    idOf: ({ participantId }) => participantId,
  });
  const best = placed[0] ? markOf(placed[0].item) : 0;
  const ranked = placed.map(({ item, rank, shared, separatedBy }) => ({
    entry: item,
    rank,
    shared,
    separatedBy,
    gap: Math.abs(markOf(item) - best),
    windAssisted: isWindAssisted(item.windMmPerS),
  }));
  const unranked = entries
    .filter((entry) => !isValid(entry))
    .toSorted((one, other) => invalidOrder(one) - invalidOrder(other) || ascending(one.participantId, other.participantId))
    .map((entry) => ({
      entry,
      rank: null,
      shared: false,
      separatedBy: null,
      gap: null,
      windAssisted: isWindAssisted(entry.windMmPerS),
    }));
  return [...ranked, ...unranked];
}

const markOf = ({ mark }: MarkEntry): number => mark ?? 0;

const invalidOrder = ({ invalidResultMark }: MarkEntry): number =>
  invalidResultMark ? invalidResultMarks.indexOf(invalidResultMark) : invalidResultMarks.length;

/** Places of different heats are not comparable. */
function comparePlaces(level: readonly MarkEntry[]): Compare<MarkEntry> | null {
  const [first] = level;
  const comparable = level.every((entry) => typeof entry.place === 'number' && entry.matchId === first?.matchId);
  return comparable ? (one, other) => (one.place ?? 0) - (other.place ?? 0) : null;
}

const byPlace = (): Separator<MarkEntry, 'PLACE'> => ({ criterion: 'PLACE', among: comparePlaces });

/** The same separator, where it orders no two entries against the places of the judges. */
function unlessContradicted<Criterion extends string>({
  criterion,
  among,
}: Separator<MarkEntry, Criterion>): Separator<MarkEntry, Criterion> {
  return {
    criterion,
    among: (level) => {
      const [compare, judged] = [among(level), comparePlaces(level)];
      if (compare === null || judged === null) return compare;
      const ordered = level.toSorted(judged);
      return ordered.every((entry, at) => at === 0 || compare(ordered[at - 1] ?? entry, entry) <= 0) ? compare : null;
    },
  };
}

function byCountback(better: Compare<number>): Separator<MarkEntry, 'COUNTBACK'> {
  return {
    criterion: 'COUNTBACK',
    among: () => (one, other) => compareLists(one.countback ?? [], other.countback ?? [], better),
  };
}

/** The first difference decides. A list with a further value ranks before one without. */
function compareLists(one: readonly number[], other: readonly number[], better: Compare<number>): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  if (index < 0) return other.length - one.length;
  const [first, second] = [one[index], other[index]];
  if (first === undefined || second === undefined) return -1;
  return better(first, second);
}

/** Participants without a valid mark in the decision rank last among the tied. */
function byDecision(decision: readonly MarkEntry[], better: Compare<number>): Separator<MarkEntry, 'SWIM_OFF'> {
  const marks = new Map(decision.filter(isValid).map((entry) => [entry.participantId, markOf(entry)]));
  const compare: Compare<MarkEntry> = (one, other) => {
    const [first, second] = [marks.get(one.participantId), marks.get(other.participantId)];
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    return better(first, second);
  };
  return { criterion: 'SWIM_OFF', among: () => compare };
}
