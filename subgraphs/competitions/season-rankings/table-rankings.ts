/** The tables of a stage: total, home and away for each group, the next-placed of all groups, and the table over all groups. */
import type { RankingType } from '../generated/resolvers.ts';
import { scoredInSets } from '../results/facts.ts';
import type { Value } from '../standings/criteria.ts';
import { rankTable } from '../standings/rank-table.ts';
import type { Comparison, StandingRow } from '../standings/standing-row.ts';
import type { TableOptions } from '../standings/table-input.ts';
import { counts, dayOf, type EntryFact, type MatchFact, type RankingFacts, type StageFact, type View } from './facts.ts';
import { qualification, type Standings } from './qualification.ts';
import { recordOf } from './record.ts';
import type { ComparedValue, ComparisonValue, RankedPlace, RankingRecord } from './rows.ts';
import { participantsByGroup } from './table-groups.ts';
import { tableInputOf, type Table } from './table-inputs.ts';

/** The view before the last matchday that counts, or before the last date where matches have none; null without earlier matches. */
function viewBefore(counted: readonly MatchFact[], view: View): View | null {
  const matchdays = counted.flatMap(({ matchday }) => matchday ?? []);
  if (matchdays.length === counted.length) {
    const last = Math.max(...matchdays);
    return matchdays.some((matchday) => matchday < last) ? { ...view, matchday: last - 1 } : null;
  }
  const last = counted.map(dayOf).toSorted().at(-1) ?? '';
  const before = counted
    .map(dayOf)
    .filter((day) => day < last)
    .toSorted()
    .at(-1);
  return before === undefined ? null : { ...view, asOf: before };
}

const comparedValue = (value: Value | null): ComparedValue | null =>
  value === null ? null : typeof value === 'number' ? { value, by: null } : { value: value.won, by: value.lost };

const comparisonOf = ({ criterion, value, against, reason }: Comparison): ComparisonValue => ({
  criterion,
  value: comparedValue(value),
  against: against.map(({ participantId, value: theirs }) => ({ participantId, value: comparedValue(theirs) })),
  reason,
});

interface Ranked extends Standings {
  readonly table: Table;
}

function standingsOf(facts: RankingFacts, table: Table, view: View, type: TableOptions['type']): Ranked {
  const input = tableInputOf(facts, table, view, type);
  return { table, rows: rankTable(input), open: input.openMatches?.length !== 0 || input.matches.length === 0 };
}

/** The division of a participant, and in the table over all groups its group. */
function membershipOf(
  { groups }: Table,
  { overall }: View,
  { participantId, divisionRecord }: StandingRow,
  division: string | null | undefined,
): Pick<RankedPlace, 'division' | 'divisionRecord' | 'ownGroup'> {
  const ownGroup = overall ? groups.get(participantId) : undefined;
  return {
    ...(division && divisionRecord ? { division, divisionRecord } : {}),
    ...(ownGroup === undefined ? {} : { ownGroup }),
  };
}

function placesOf(
  facts: RankingFacts,
  { table, rows }: Ranked,
  view: View,
  type: TableOptions['type'],
  qualified: ReadonlyMap<string, boolean | null>,
): RankedPlace[] {
  const counted = table.matches.filter((match) => counts(match, view));
  const before = counted.length === 0 ? null : viewBefore(counted, view);
  const previous = new Map(
    before
      ? rankTable(tableInputOf(facts, table, before, type)).map((row) => [
          row.participantId,
          table.positionsBefore + row.position,
        ])
      : [],
  );
  const divisions = new Map(facts.participants.map(({ id, division }) => [id, division]));
  const inSets = scoredInSets(facts.season.sport);
  const holders = Map.groupBy(rows, ({ position }) => position);
  return rows.map((row): RankedPlace => {
    const { setsWon, setsLost, pointsDeducted, carriedPoints, divisionRecord: _, tieBreak, ...columns } = row;
    const shared = (holders.get(row.position)?.length ?? 1) > 1;
    return {
      ...columns,
      position: table.positionsBefore + row.position,
      previousPosition: previous.get(row.participantId) ?? null,
      shared,
      vacated: false,
      ...(inSets ? { setsWon, setsLost } : {}),
      ...membershipOf(table, view, row, divisions.get(row.participantId)),
      ...(carriedPoints === null ? {} : { carriedPoints }),
      ...(pointsDeducted.reasons.length > 0 ? { pointsDeducted } : {}),
      ...(type === 'TOTAL' ? { qualified: qualified.get(row.participantId) ?? null } : {}),
      // Before the first match all rows are tied, which needs no explanation.
      tieBreak:
        tieBreak && !(shared && row.matchesPlayed === 0)
          ? { ...comparisonOf(tieBreak), chain: tieBreak.chain.map(comparisonOf) }
          : null,
    };
  });
}

/** The tables of one stage. Home and away tables exist where a side plays at home. */
export function tableRankings(facts: RankingFacts, stage: StageFact, view: View): RankingRecord[] {
  const matches = facts.matches.filter(({ stageId }) => stageId === stage.id);
  const groups = [...participantsByGroup(facts, stage, matches)];
  const groupOf = new Map(groups.flatMap(([name, ids]) => (name === null ? [] : ids.map((id) => [id, name] as const))));
  const tableOf = (groupName: string | null, participants: readonly string[], positionsBefore = 0): Table => {
    const ids = new Set(participants);
    const isOwn = ({ participantId }: EntryFact): boolean => participantId !== null && ids.has(participantId);
    const own = matches.filter(({ entries }) => entries.some(isOwn));
    return { stage, groupName, groups: groupOf, matches: own, participants, positionsBefore };
  };
  const tables = groups.map(([groupName, ids], index) => {
    const before = stage.continuousPositions ? groups.slice(0, index) : [];
    return tableOf(
      groupName,
      ids,
      before.reduce((sum, [, others]) => sum + others.length, 0),
    );
  });
  const totals = tables.map((table) => standingsOf(facts, table, view, 'TOTAL'));
  const rankAcrossGroups = (participants: readonly string[]): Ranked =>
    standingsOf(facts, { ...tableOf(null, participants), isAcrossGroups: true }, view, 'TOTAL');
  const { qualified, nextPlaced } = qualification(stage, totals, rankAcrossGroups);
  const recordsOf = (ranked: Ranked, type: RankingType): RankingRecord[] => {
    const scope = { seasonId: facts.season.id, contestId: stage.contestId, stageId: stage.id, groupName: ranked.table.groupName };
    const counted = type === 'OVERALL' ? 'TOTAL' : type;
    return recordOf({ of: scope, stage, method: 'TABLE', type, rows: placesOf(facts, ranked, view, counted, qualified) });
  };
  if (view.overall) {
    // Positions that continue from group to group are already the order of all participants.
    const all = [...new Set(groups.flatMap(([, ids]) => ids))].toSorted();
    return groups.length > 1 && !stage.continuousPositions ? recordsOf(rankAcrossGroups(all), 'OVERALL') : [];
  }
  const isAtHome = (match: MatchFact): boolean =>
    !match.neutral && counts(match, view) && match.entries.some(({ side }) => side === 'HOME' || side === 'AWAY');
  const ofGroups = totals.flatMap((total) => {
    const types: readonly ('HOME' | 'AWAY')[] = total.table.matches.some(isAtHome) ? ['HOME', 'AWAY'] : [];
    const others = types.flatMap((type) => recordsOf(standingsOf(facts, total.table, view, type), type));
    return [...recordsOf(total, 'TOTAL'), ...others];
  });
  return [...ofGroups, ...(nextPlaced ? recordsOf(nextPlaced, 'TOTAL') : [])];
}
