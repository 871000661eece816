/** The ranking of one stage by mark, over all its heats: equal marks share a rank, what is not valid stands apart. */
import { betterFirst, invalidResultMarks, type Direction, type InvalidResultMark } from './mark.ts';
import { ascending, place, type Compare, type Separator } from './placing.ts';

/** What one participant did in a stage; at most one entry per participant. */
export interface MarkEntry {
  readonly participantId: string;
  /** The heat. */
  readonly matchId: string;
  /** In the event's canonical unit; null without one. */
  readonly mark: number | null;
  readonly invalidResultMark?: InvalidResultMark | null;
  /** The judges' place in this match: decides between equal marks of one match only (a photo finish, a road race in whole seconds). */
  readonly place?: number | null;
  /**
   * What is compared next where marks are equal, in the direction of the event: further attempts of a throw or long jump, best first
   * (World Athletics C2.1 TR25.22), the time in tenths of a ms, or failures of a high jump as negative numbers (TR26.8).
   */
  readonly countback?: readonly number[];
  /** Positive is a tail wind. */
  readonly windMmPerS?: number | null;
}

export type MarkCriterion = 'PLACE' | 'COUNTBACK' | 'SWIM_OFF';

export interface RankedMark<Entry extends MarkEntry = MarkEntry> {
  readonly entry: Entry;
  /** Null for an invalid result and for one that is not known yet. */
  readonly rank: number | null;
  readonly shared: boolean;
  /** What put it before or after an equal mark. */
  readonly separatedBy: MarkCriterion | null;
  /** How far behind the best mark, in the unit of the mark, never negative; null without a rank. */
  readonly gap: number | null;
  /** No record, though it ranks: a tail wind of more than 2.0 m/s (World Athletics C1.1 CR31). */
  readonly windAssisted: boolean;
}

export interface MarkOptions {
  readonly direction: Direction;
  /** One list per swim-off (or jump-off, or run-off), in the order they were held: each separates who was level before it, no mark changes. */
  readonly decisions?: readonly (readonly MarkEntry[])[];
}

const legalWindMmPerS = 2000;

/** True for a tail wind above +2.0 m/s; a wind not measured is not one. */
export const isWindAssisted = (windMmPerS: number | null | undefined): boolean => (windMmPerS ?? 0) > legalWindMmPerS;

const isValid = ({ mark, invalidResultMark }: MarkEntry): boolean => mark !== null && !invalidResultMark;

/**
 * Ranks one stage over all its heats: valid marks first, equal ones sharing a place (World Aquatics SW 11.2), then invalid ones without a
 * rank in the order of `invalidResultMarks`, then those without any result; equals by participant id.
 */
export function rankByMark<Entry extends MarkEntry>(
  entries: readonly Entry[],
  { direction, decisions = [] }: MarkOptions,
): RankedMark<Entry>[] {
  const better = betterFirst(direction);
  const valid = entries.filter(isValid);
  const placed = place<Entry, MarkCriterion>(valid, {
    by: (one, other) => better(markOf(one), markOf(other)),
    separators: [byPlace(), byCountback(better), ...decisions.map((decision) => byDecision(decision, better))],
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
  const apart = entries
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
  return [...ranked, ...apart];
}

const markOf = ({ mark }: MarkEntry): number => mark ?? 0;

const invalidOrder = ({ invalidResultMark }: MarkEntry): number =>
  invalidResultMark ? invalidResultMarks.indexOf(invalidResultMark) : invalidResultMarks.length;

/** Places of different heats say nothing about each other. */
function byPlace(): Separator<MarkEntry, 'PLACE'> {
  return {
    criterion: 'PLACE',
    among: (level) => {
      const [first] = level;
      const comparable = level.every((entry) => typeof entry.place === 'number' && entry.matchId === first?.matchId);
      return comparable ? (one, other) => (one.place ?? 0) - (other.place ?? 0) : null;
    },
  };
}

function byCountback(better: Compare<number>): Separator<MarkEntry, 'COUNTBACK'> {
  return {
    criterion: 'COUNTBACK',
    among: () => (one, other) => compareLists(one.countback ?? [], other.countback ?? [], better),
  };
}

/** The first difference decides; who has a further value stands before who has none. */
function compareLists(one: readonly number[], other: readonly number[], better: Compare<number>): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  if (index < 0) return other.length - one.length;
  const [first, second] = [one[index], other[index]];
  if (first === undefined || second === undefined) return -1;
  return better(first, second);
}

/** Of those who are level: who was not there, or has no valid mark in it, comes last. */
function byDecision(decision: readonly MarkEntry[], better: Compare<number>): Separator<MarkEntry, 'SWIM_OFF'> {
  const marks = new Map(decision.filter(isValid).map((entry) => [entry.participantId, markOf(entry)]));
  const compare: Compare<MarkEntry> = (one, other) => {
    const [first, second] = [marks.get(one.participantId), marks.get(other.participantId)];
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    return better(first, second);
  };
  return { criterion: 'SWIM_OFF', among: () => compare };
}
