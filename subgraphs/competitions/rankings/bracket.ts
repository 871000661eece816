/** Builds a knock-out bracket from its matches: rounds in order, winners of ties, champion and third place. */
import { linksOf, type BracketMatch, type TieLinks } from './bracket-links.ts';
import { readable, type Reading } from './reading.ts';
import { standingOf, type TieRules, type TieStanding } from './tie.ts';

export interface BracketSlot {
  /** Null while the participant is not known. */
  readonly participantId: string | null;
  readonly seed: number | null;
  /** The tie that the participant comes from. Null for a direct entry. */
  readonly source: { readonly tieId: string; readonly outcome: 'WINNER' | 'LOSER' } | null;
  /** The slot stays empty: the other side advances without a match. */
  readonly bye: boolean;
}

export interface BracketTie extends TieStanding {
  readonly tieId: string;
  readonly matchIds: readonly string[];
  /** PLACEMENT: a tie for a place below third. */
  readonly kind: 'MAIN' | 'THIRD_PLACE' | 'PLACEMENT';
  /** From the top of the draw within the round. */
  readonly position: number;
  readonly slots: readonly [BracketSlot, BracketSlot];
  readonly eliminatedId: string | null;
  /** The tie that the winner advances to. Null for a last tie. */
  readonly nextTieId: string | null;
}

export interface BracketRound {
  /** From 1. The last round contains the final. */
  readonly number: number;
  /** Common name of the round in its main matches. Null where they differ or have none. */
  readonly name: string | null;
  readonly ties: readonly BracketTie[];
}

export interface Bracket {
  readonly rounds: readonly BracketRound[];
  /** Null until the final is decided, and where the bracket has more than one final. */
  readonly championId: string | null;
  readonly runnerUpId: string | null;
  /** Null without a match for third place. */
  readonly thirdPlaceId: string | null;
  readonly fourthPlaceId: string | null;
  /** Slots with another participant than the source match determines, such as a lucky loser, or a correction after the next round started. */
  readonly conflicts: readonly { readonly tieId: string; readonly expectedId: string; readonly actualId: string }[];
}

/**
 * Builds the bracket. A participant in a slot takes precedence over the one from its source. Rounds are counted back from the final, so a direct
 * entry is in the round that it enters. Violations are those of `linksOf`.
 */
export function readBracket(
  matches: readonly BracketMatch[],
  rulesOf: (stageId: string | null) => TieRules = () => ({ legs: 1 }),
): Reading<Bracket> {
  const links = linksOf(matches);
  if (links.value === null) return links;
  const ties = new Map<string, BracketTie>();
  const conflicts: Bracket['conflicts'][number][] = [];
  for (const tie of links.value) {
    const resolved = resolve(tie, ties, rulesOf(tie.stageId));
    ties.set(tie.tieId, resolved.tie);
    conflicts.push(...resolved.conflicts);
  }
  const finals = [...ties.values()].filter(({ nextTieId, slots }) => nextTieId === null && !slots.some(isLoser));
  const final = finals.length === 1 ? finals[0] : undefined;
  const third = final && [...ties.values()].find((tie) => isThirdPlace(tie, final));
  const placed = [...ties.values()].map((tie) => ({
    ...tie,
    kind: tie === third ? ('THIRD_PLACE' as const) : leadsTo(tie, finals, ties) ? ('MAIN' as const) : ('PLACEMENT' as const),
  }));
  return readable({
    rounds: roundsOf(placed, links.value),
    championId: final?.advancedId ?? null,
    runnerUpId: final?.eliminatedId ?? null,
    thirdPlaceId: third?.advancedId ?? null,
    fourthPlaceId: third?.eliminatedId ?? null,
    conflicts,
  });
}

const isLoser = ({ source }: BracketSlot): boolean => source?.outcome === 'LOSER';

/** Both sides lost a tie whose winner plays the final. */
const isThirdPlace = ({ nextTieId, slots }: BracketTie, final: BracketTie): boolean =>
  nextTieId === null &&
  slots.every(({ source }) => source?.outcome === 'LOSER' && final.slots.some((slot) => slot.source?.tieId === source.tieId));

function leadsTo(tie: BracketTie, finals: readonly BracketTie[], ties: ReadonlyMap<string, BracketTie>): boolean {
  let last = tie;
  for (let next = ties.get(last.nextTieId ?? ''); next; next = ties.get(last.nextTieId ?? '')) last = next;
  return finals.some(({ tieId }) => tieId === last.tieId);
}

function resolve(
  { tieId, matches, slots: links, nextTieId }: TieLinks,
  ties: ReadonlyMap<string, BracketTie>,
  rules: TieRules,
): { tie: BracketTie; conflicts: Bracket['conflicts'] } {
  const conflicts: Bracket['conflicts'][number][] = [];
  const slotOf = ({ participantId, seed, source, bye }: TieLinks['slots'][number]): BracketSlot => {
    const from = source ? ties.get(source.tieId) : undefined;
    const expected = (source?.outcome === 'WINNER' ? from?.advancedId : from?.eliminatedId) ?? null;
    if (participantId && expected && participantId !== expected)
      conflicts.push({ tieId, expectedId: expected, actualId: participantId });
    return { participantId: participantId ?? expected, seed, source, bye };
  };
  const slots = [slotOf(links[0]), slotOf(links[1])] as const;
  const standing = standingWithByes(slots, matches, rules);
  const loser = slots.find(({ participantId }) => participantId !== standing.advancedId);
  const tie = {
    tieId,
    matchIds: matches.map(({ matchId }) => matchId),
    kind: 'MAIN',
    position: 0,
    slots,
    ...standing,
    eliminatedId: standing.advancedId === null ? null : (loser?.participantId ?? null),
    nextTieId,
  } as const;
  return { tie, conflicts };
}

function standingWithByes(slots: BracketTie['slots'], matches: TieLinks['matches'], rules: TieRules): TieStanding {
  const [one, other] = slots;
  const undecided = { aggregate: null, shootoutScores: null, wins: [0, 0], advancedId: null, decidedBy: null } as const;
  if (one.bye || other.bye) {
    const advancedId = one.bye ? other.participantId : one.participantId;
    return advancedId === null ? undecided : { ...undecided, advancedId, decidedBy: 'BYE' };
  }
  if (one.participantId === null || other.participantId === null) return undecided;
  const sides = [one.participantId, other.participantId] as const;
  // The slots of a later leg may still contain placeholders. They stand for the same two sides, which alternate at home.
  const played = matches.map(({ matchId, leg, slots: own, result, turned }) => ({
    matchId,
    leg,
    result,
    participantIds: [own[0].participantId ?? sides[turned ? 1 : 0], own[1].participantId ?? sides[turned ? 0 : 1]] as const,
  }));
  return standingOf(played, sides, rules);
}

/**
 * Rounds are counted back from the last tie of each path, and positions derive from there. Last ties keep the order of the draw. A tie whose
 * winner has no next tie yet is in the round of the other ties with its key.
 */
function roundsOf(ties: readonly BracketTie[], links: readonly TieLinks[]): BracketRound[] {
  const byId = new Map(ties.map((tie) => [tie.tieId, tie]));
  const places = new Map<string, { depth: number; position: number }>();
  const visit = (tie: BracketTie, depth: number, position: number): void => {
    places.set(tie.tieId, { depth, position });
    for (const [index, { source }] of tie.slots.entries()) {
      const from = source?.outcome === 'WINNER' ? byId.get(source.tieId) : undefined;
      if (from) visit(from, depth + 1, position * 2 + index);
    }
  };
  const keys = new Map(links.map(({ tieId, roundKey }) => [tieId, roundKey]));
  const depthOfRound = ({ tieId, kind }: BracketTie): number => {
    const key = kind === 'MAIN' ? (keys.get(tieId) ?? null) : null;
    const known = key === null ? undefined : [...places].find(([id]) => keys.get(id) === key);
    return known?.[1].depth ?? 0;
  };
  const order = new Map(links.map(({ tieId }, index) => [tieId, index]));
  const last = ({ tieId }: BracketTie): number => order.get(tieId) ?? 0;
  const roots = ties.filter(({ nextTieId }) => nextTieId === null);
  const drawn = roots.toSorted(byKind);
  // Ties with sources come last in the links. They place the rounds before them.
  for (const root of roots.toSorted((one, other) => last(other) - last(one))) {
    const depth = depthOfRound(root);
    // After the ties of the same round that are already part of the draw.
    visit(root, depth, depth === 0 ? drawn.indexOf(root) : drawn.length * 2 ** depth + drawn.indexOf(root));
  }
  const depths = Math.max(0, ...[...places.values()].map(({ depth }) => depth + 1));
  const names = new Map(links.map(({ tieId, matches }) => [tieId, matches[0]?.round ?? null]));
  return Array.from({ length: depths }, (_, index) => {
    const own = ties
      .filter(({ tieId }) => places.get(tieId)?.depth === depths - 1 - index)
      .map((tie) => ({ ...tie, position: places.get(tie.tieId)?.position ?? 0 }))
      .toSorted((one, other) => byKind(one, other) || one.position - other.position);
    const roundNames = new Set(own.filter(({ kind }) => kind === 'MAIN').map(({ tieId }) => names.get(tieId) ?? null));
    return {
      number: index + 1,
      name: roundNames.size === 1 ? ([...roundNames][0] ?? null) : null,
      ties: own.map((tie, position) => ({ ...tie, position: position + 1 })),
    };
  });
}

const kinds: readonly BracketTie['kind'][] = ['MAIN', 'THIRD_PLACE', 'PLACEMENT'];
const byKind = (one: BracketTie, other: BracketTie): number => kinds.indexOf(one.kind) - kinds.indexOf(other.kind);
