/** Who advances from the tables of a stage: by place in each group, and the best of those placed next over all groups. */
import type { TableRules } from '../../../schema/ranking-rules.ts';
import { isWithinGroup } from '../standings/criteria.ts';
import type { StandingRow } from '../standings/standing-row.ts';
import type { StageFact } from './facts.ts';

/** A table with all matches. */
export interface Standings {
  readonly rows: readonly StandingRow[];
  /** Whether matches are still to be played, or none has been. */
  readonly open: boolean;
}

/**
 * The rules for participants of several groups: not all have met, so head-to-head criteria do not apply (FIFA World Cup 2026, article 13), nor
 * do those within a group or division, and zones.
 */
export const acrossGroups = (rules: TableRules): TableRules => ({
  ...rules,
  order: rules.order.filter((criterion) => !isWithinGroup(criterion)),
  zones: [],
});

/** Whether a row is certainly among the first `count`; null for rows that are tied for the last place. */
function isAmongFirst({ position }: StandingRow, rows: readonly StandingRow[], count: number): boolean | null {
  const tied = rows.filter((row) => row.position === position).length;
  if (position + tied - 1 <= count) return true;
  return position > count ? false : null;
}

/**
 * Participant → whether it advances; null before the last match, and for participants tied for the last place. `nextPlaced`: the ranking of
 * those placed directly behind the places of PLACE, null without a rule for them.
 */
export function qualification<Ranked extends Standings>(
  { advancement }: StageFact,
  tables: readonly Ranked[],
  rankAcrossGroups: (participants: readonly string[]) => Ranked,
): { readonly qualified: ReadonlyMap<string, boolean | null>; readonly nextPlaced: Ranked | null } {
  const byPlace = advancement.find(({ by }) => by === 'PLACE');
  const byNextPlace = advancement.find(({ by }) => by === 'NEXT_PLACED');
  const qualified = new Map<string, boolean | null>();
  if (!byPlace) return { qualified, nextPlaced: null };
  for (const { rows, open } of tables)
    for (const row of rows) qualified.set(row.participantId, open ? null : isAmongFirst(row, rows, byPlace.count));
  if (!byNextPlace) return { qualified, nextPlaced: null };
  const nextPlace = byPlace.count + 1;
  const next = tables.map(({ rows }) => rows.filter(({ position }) => position === nextPlace));
  const nextPlaced = rankAcrossGroups(next.flatMap((rows) => rows.map(({ participantId }) => participantId)).toSorted());
  const isFinal = tables.every(({ open }) => !open) && next.every((rows) => rows.length === 1);
  for (const row of nextPlaced.rows)
    qualified.set(row.participantId, isFinal ? isAmongFirst(row, nextPlaced.rows, byNextPlace.count) : null);
  return { qualified, nextPlaced };
}
