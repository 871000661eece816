/** Final places of a knock-out: of those who lost in the same round of the draw, and of those who played for a place. */
import type { Bracket, BracketTie } from './bracket.ts';
import { ascending } from './placing.ts';

export interface BracketPlacing {
  readonly position: number;
  /** Whether several participants share the position, such as two bronze medals. */
  readonly shared: boolean;
  readonly participantId: string;
}

/** A last tie with the best position at stake in it, and the number of last ties for the same position. */
interface Stake {
  readonly best: number;
  readonly peers: number;
}

/** The ties by ID, with the last tie of each path and the number of ties to it. */
function pathsOf(ties: readonly BracketTie[]) {
  const byId = new Map(ties.map((tie) => [tie.tieId, tie]));
  const lastOf = (tie: BracketTie): { last: BracketTie; depth: number } => {
    let [last, depth] = [tie, 0];
    for (let next = byId.get(last.nextTieId ?? ''); next && depth < ties.length; next = byId.get(last.nextTieId ?? ''))
      [last, depth] = [next, depth + 1];
    return { last, depth };
  };
  return new Map(ties.map((tie) => [tie.tieId, { tie, ...lastOf(tie) }]));
}

type Paths = ReturnType<typeof pathsOf>;
type Stakes = ReadonlyMap<string, Stake>;

/** The place of the loser of a tie who plays no further tie. Null where the stake of its last tie is not known. */
function lossOf(tieId: string, paths: Paths, stakes: Stakes): number | null {
  const path = paths.get(tieId);
  const stake = path && stakes.get(path.last.tieId);
  return stake ? stake.best + stake.peers * 2 ** path.depth : null;
}

/** What is at stake in each last tie. Null without a common final: the ties then have no common places. */
function stakesOf(ties: readonly BracketTie[], paths: Paths): Stakes | null {
  const stakes = new Map<string, Stake>();
  const lasts = ties.filter(({ nextTieId }) => nextTieId === null);
  const feeding = Map.groupBy(ties, (tie) => paths.get(tie.tieId)?.last.tieId ?? '');
  /** The ties whose losers play in the draw of a last tie. */
  const sourcesOf = (last: BracketTie): string[] =>
    (feeding.get(last.tieId) ?? []).flatMap(({ slots }) =>
      slots.flatMap(({ source }) => (source?.outcome === 'LOSER' ? source.tieId : [])),
    );
  if (lasts.filter((last) => sourcesOf(last).length === 0).length !== 1) return null;

  // Each pass places the last ties whose sources are placed. A cycle of sources stays without places.
  for (let open = lasts; open.length > 0;) {
    const ready = open.flatMap((last) => {
      const losses = sourcesOf(last).map((tieId) => lossOf(tieId, paths, stakes));
      const known = losses.filter((loss) => loss !== null);
      if (known.length < losses.length) return [];
      return [{ last, best: known.length === 0 ? 1 : Math.min(...known) }];
    });
    if (ready.length === 0) break;
    const byBest = Map.groupBy(ready, ({ best }) => best);
    for (const { last, best } of ready) stakes.set(last.tieId, { best, peers: byBest.get(best)?.length ?? 1 });
    open = open.filter((last) => !stakes.has(last.tieId));
  }
  return stakes;
}

/** The positions by participant. Ties are in the order of play, so the last tie of a participant decides. */
function positionsOf(order: readonly BracketTie[], paths: Paths, stakes: Stakes): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const { tieId, advancedId, eliminatedId, nextTieId } of order) {
    const loss = lossOf(tieId, paths, stakes);
    if (loss === null || advancedId === null) continue;
    if (eliminatedId !== null) positions.set(eliminatedId, loss);
    if (nextTieId === null) positions.set(advancedId, stakes.get(tieId)?.best ?? loss);
    else positions.delete(advancedId);
  }
  const waiting = order.filter(({ advancedId }) => advancedId === null).flatMap(({ slots }) => slots);
  for (const { participantId } of waiting) if (participantId !== null) positions.delete(participantId);
  return positions;
}

/**
 * The places of all participants whose last tie is decided, best first. Losers of the same round share a place: two semi-finalists without a
 * match for third place are both third. A last tie that losers play is for the best place that one of them can still reach, so each of two
 * bronze contests with a repechage has a third and a fifth place (IJF Sport and Organisation Rules, E2). Empty without a common final.
 */
export function placingsOf({ rounds }: Pick<Bracket, 'rounds'>): BracketPlacing[] {
  const ties = rounds.flatMap((round) => round.ties);
  const paths = pathsOf(ties);
  const stakes = stakesOf(ties, paths);
  if (!stakes) return [];
  const levels = levelsOf(ties);
  const order = ties.toSorted((one, other) => (levels.get(one.tieId) ?? 0) - (levels.get(other.tieId) ?? 0));
  const positions = positionsOf(order, paths, stakes);
  const sharing = Map.groupBy(positions.values(), (position) => position);
  return [...positions]
    .map(([participantId, position]) => ({ participantId, position, shared: (sharing.get(position)?.length ?? 0) > 1 }))
    .toSorted((one, other) => one.position - other.position || ascending(one.participantId, other.participantId));
}

/** The number of ties that must be played before each tie, along its longest path. */
function levelsOf(ties: readonly BracketTie[]): ReadonlyMap<string, number> {
  const levels = new Map(ties.map(({ tieId }) => [tieId, 0]));
  for (let pass = 0, changed = true; changed && pass <= ties.length; pass += 1) {
    changed = false;
    for (const { tieId, slots } of ties) {
      const level = Math.max(0, ...slots.map(({ source }) => (source ? (levels.get(source.tieId) ?? -1) + 1 : 0)));
      if (level > (levels.get(tieId) ?? 0)) {
        levels.set(tieId, level);
        changed = true;
      }
    }
  }
  return levels;
}
