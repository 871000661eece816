/** Links the matches of a bracket to ties, with source ties before the ties that they feed. */
import { ascending } from './placing.ts';
import { readable, unreadable, type RankingIssue, type Reading } from './reading.ts';
import type { TieResult } from './tie.ts';

export interface MatchSlot {
  readonly participantId?: string | null;
  readonly placeholder?: { readonly sourceMatchId: string; readonly outcome: 'WINNER' | 'LOSER' } | null;
  readonly seed?: number | null;
  /** The slot stays empty. */
  readonly bye?: boolean;
}

export interface BracketMatch {
  readonly matchId: string;
  /** The stage whose rules apply. */
  readonly stageId?: string | null;
  /** Common to the matches of one tie (legs, a series). Without it, the match forms a separate tie. */
  readonly tieId?: string | null;
  readonly leg?: number | null;
  /** Name of the round. */
  readonly round?: string | null;
  /** Matches with the same key are in one round, wherever their winners go. */
  readonly roundKey?: string | null;
  /** From the top of the draw. Orders ties that feed no other tie. */
  readonly bracketPosition?: number | null;
  /** The home side, or the side named first, is the first slot. */
  readonly slots: readonly [MatchSlot, MatchSlot];
  readonly result?: TieResult | null;
}

export interface SlotLink {
  readonly participantId: string | null;
  readonly seed: number | null;
  readonly source: { readonly tieId: string; readonly outcome: 'WINNER' | 'LOSER' } | null;
  readonly bye: boolean;
}

export interface TieLinks {
  readonly tieId: string;
  readonly stageId: string | null;
  readonly roundKey: string | null;
  /** In the order of their legs. `turned`: the first slot is the second slot of the tie. */
  readonly matches: readonly {
    readonly matchId: string;
    readonly leg: number;
    readonly round: string | null;
    readonly slots: readonly [SlotLink, SlotLink];
    readonly turned: boolean;
    readonly result: TieResult | null;
  }[];
  /** Those of the first leg, completed from later legs where the sides can be matched. */
  readonly slots: readonly [SlotLink, SlotLink];
  /** The tie that the winner advances to. */
  readonly nextTieId: string | null;
  readonly bracketPosition: number;
}

/**
 * Links matches to ties. Violations: `match_repeated`, `source_unknown`, `source_used_twice` (two slots wait for the same winner or loser),
 * `tie_sides` (legs of one tie have different sides), `bracket_cycle`. Every violation names the matches.
 */
export function linksOf(matches: readonly BracketMatch[]): Reading<TieLinks[]> {
  const tieIdOf = (match: BracketMatch): string => match.tieId ?? match.matchId;
  const tieIds = new Map(matches.map((match) => [match.matchId, tieIdOf(match)]));
  const ties = [...Map.groupBy(matches, tieIdOf)].map(([tieId, own]) => tieOf(tieId, own, tieIds));
  const next = new Map(
    ties.flatMap(({ tieId, slots }) =>
      slots.flatMap(({ source }) => (source?.outcome === 'WINNER' ? [[source.tieId, tieId] as const] : [])),
    ),
  );
  const { sorted, cyclic } = inOrder(ties);
  const [first, ...others] = [
    ...repeatedViolations(matches),
    ...sourceViolations(matches, tieIds),
    ...usedTwiceViolations(ties),
    ...sidesViolations(ties),
    ...(cyclic.length > 0
      ? [{ code: 'bracket_cycle', detail: `These ties wait for each other in a cycle: ${cyclic.join(', ')}.` }]
      : []),
  ];
  if (first) return unreadable(first, ...others);
  return readable(sorted.map((tie) => ({ ...tie, nextTieId: next.get(tie.tieId) ?? null })));
}

function tieOf(tieId: string, matches: readonly BracketMatch[], tieIds: ReadonlyMap<string, string>): TieLinks {
  const linkOf = ({ participantId, placeholder, seed, bye }: MatchSlot): SlotLink => ({
    participantId: participantId ?? null,
    seed: seed ?? null,
    source: placeholder
      ? { tieId: tieIds.get(placeholder.sourceMatchId) ?? placeholder.sourceMatchId, outcome: placeholder.outcome }
      : null,
    bye: bye ?? false,
  });
  const sorted = matches
    .toSorted((one, other) => (one.leg ?? 1) - (other.leg ?? 1) || ascending(one.matchId, other.matchId))
    .map(({ matchId, leg, round, slots, result }) => ({
      matchId,
      leg: leg ?? 1,
      round: round ?? null,
      slots: [linkOf(slots[0]), linkOf(slots[1])] as const,
      result: result ?? null,
    }));
  const [first] = sorted;
  const slots = first?.slots ?? ([linkOf({}), linkOf({})] as const);
  const legs = sorted.map((match) => ({ ...match, turned: isTurned(match, slots) }));
  const filled = legs
    .map(({ slots: own, turned }) => (turned ? flip(own) : own))
    .filter((own) => agreement(own, slots) > 0 || slots.every(({ source }) => source === null))
    .reduce(fill, slots);
  return {
    tieId,
    stageId: matches[0]?.stageId ?? null,
    roundKey: matches[0]?.roundKey ?? null,
    matches: legs,
    slots: filled,
    nextTieId: null,
    bracketPosition: matches[0]?.bracketPosition ?? 0,
  };
}

type Slots = TieLinks['slots'];

const flip = ([one, other]: Slots): Slots => [other, one];

/** Number of sides that are known to be the same; negative where a side is known to differ. */
function agreement(one: Slots, other: Slots): number {
  const sides = [sameSide(one[0], other[0]), sameSide(one[1], other[1])];
  return sides.includes(false) ? -1 : sides.filter((same) => same === true).length;
}

/** Null where the two slots cannot be compared. */
function sameSide(one: SlotLink, other: SlotLink): boolean | null {
  if (one.participantId !== null && other.participantId !== null) return one.participantId === other.participantId;
  if (!one.source || !other.source) return null;
  return one.source.tieId === other.source.tieId && one.source.outcome === other.source.outcome;
}

/** Whether the sides are swapped in a leg. Default: the sides alternate at home. */
function isTurned({ slots: own, leg }: Pick<TieLinks['matches'][number], 'slots' | 'leg'>, slots: Slots): boolean {
  const [straight, turned] = [agreement(own, slots), agreement(flip(own), slots)];
  return turned > straight || (turned === straight && leg % 2 === 0);
}

const fill = (known: Slots, further: Slots): Slots => [merge(known[0], further[0]), merge(known[1], further[1])];

const merge = (known: SlotLink, further: SlotLink): SlotLink => ({
  participantId: known.participantId ?? further.participantId,
  seed: known.seed ?? further.seed,
  source: known.source ?? further.source,
  bye: known.bye || further.bye,
});

function repeatedViolations(matches: readonly BracketMatch[]): RankingIssue[] {
  return [...Map.groupBy(matches, ({ matchId }) => matchId)].flatMap(([matchId, own]) =>
    own.length > 1 ? [{ code: 'match_repeated', detail: `The match ${matchId} is listed ${own.length} times.` }] : [],
  );
}

function sourceViolations(matches: readonly BracketMatch[], tieIds: ReadonlyMap<string, string>): RankingIssue[] {
  return matches.flatMap(({ matchId, slots }) =>
    slots.flatMap(({ placeholder }) =>
      placeholder && !tieIds.has(placeholder.sourceMatchId)
        ? [
            {
              code: 'source_unknown',
              detail: `The match ${matchId} waits for the match ${placeholder.sourceMatchId}, which is not in this bracket.`,
            },
          ]
        : [],
    ),
  );
}

function usedTwiceViolations(ties: readonly TieLinks[]): RankingIssue[] {
  const uses = ties.flatMap(({ tieId, slots }) =>
    slots.flatMap(({ source }) => (source ? [{ tieId, key: `${source.outcome.toLowerCase()} of ${source.tieId}` }] : [])),
  );
  return [...Map.groupBy(uses, ({ key }) => key)].flatMap(([key, own]) =>
    own.length > 1
      ? [
          {
            code: 'source_used_twice',
            detail: `Several ties wait for the ${key}: ${own.map(({ tieId }) => tieId).join(' and ')}.`,
          },
        ]
      : [],
  );
}

function sidesViolations(ties: readonly TieLinks[]): RankingIssue[] {
  return ties.flatMap(({ tieId, matches, slots }) =>
    matches.every(({ slots: own, turned }) => agreement(turned ? flip(own) : own, slots) >= 0)
      ? []
      : [{ code: 'tie_sides', detail: `The matches of the tie ${tieId} have different sides.` }],
  );
}

/** Sorts sources first. The remaining ties form cycles. */
function inOrder(ties: readonly TieLinks[]): { sorted: TieLinks[]; cyclic: string[] } {
  const known = new Set(ties.map(({ tieId }) => tieId));
  const sorted: TieLinks[] = [];
  const done = new Set<string>();
  let waiting = ties.toSorted((one, other) => one.bracketPosition - other.bracketPosition || ascending(one.tieId, other.tieId));
  for (;;) {
    const free = waiting.filter(({ slots }) =>
      slots.every(({ source }) => !source || done.has(source.tieId) || !known.has(source.tieId)),
    );
    if (free.length === 0) return { sorted, cyclic: waiting.map(({ tieId }) => tieId) };
    for (const tie of free) done.add(tie.tieId);
    sorted.push(...free);
    waiting = waiting.filter(({ tieId }) => !done.has(tieId));
  }
}
