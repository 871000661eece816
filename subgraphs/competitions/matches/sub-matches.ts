/** Matches that are part of another match: the singles and the doubles of a Davis Cup tie, or the bouts of a team contest. */
import { Problem, validationProblem, type Violation } from '../../../schema/errors.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import type { CreateMatchInput, SubMatchScoring } from '../generated/resolvers.ts';
import { matchResource, type MatchRow } from './rows.ts';

/** Maximum number of sub-matches of a match. */
export const subMatchesMax = 60;

/** What two sides have from their sub-matches, by entry in program order. */
export interface SubMatchScore {
  readonly wins: readonly number[];
  readonly points: readonly number[];
}

/** The score of a match from its sub-matches as JSON, null without sub-matches. The n-th entry of a sub-match plays for the n-th entry of the match. */
export const subMatchScoreOf = (matchId: Sql): Sql => sql`(
  select jsonb_build_object('wins', jsonb_agg(wins order by ordinal), 'points', jsonb_agg(points order by ordinal)) from (
    select entry.ordinal, count(*) filter (where result.id is not null and entry.result ->> 'outcome' = 'WIN') as wins,
      coalesce(sum((entry.result ->> 'points')::int) filter (where result.id is not null), 0) as points
    from match sub join match_participant entry on entry.match_id = sub.id
      left join result on result.match_id = sub.id and result.status <> 'ANNULLED'
    where sub.parent_id = ${matchId} group by entry.ordinal
  ) as side having count(*) > 0)`;

/** The values that count for the score of a match. */
export const scoresOf = ({ wins, points }: SubMatchScore, scoring: SubMatchScoring | null | undefined): readonly number[] =>
  scoring === 'POINTS' ? points : wins;

/** The match that a new match is part of, locked against deletion. Null for a match that is part of none. */
export async function lockParent(transaction: Queryable, { parentMatchId }: CreateMatchInput): Promise<MatchRow | null> {
  if (!parentMatchId) return null;
  const [parent] = await transaction.query<MatchRow>(
    sql`/* matches.lockParent */ select ${matchResource.table.columns} from match where id = ${parentMatchId} for no key update`,
  );
  if (parent) return parent;
  throw validationProblem([
    { pointer: '/parentMatchId', code: 'unknown_match', detail: 'The season has no match with this ID.' },
  ]);
}

/** The violations of members that follow from the parent match. */
function placeViolations(parent: MatchRow, { stageId, group, tieId, leg }: CreateMatchInput): (Violation | false)[] {
  return [
    !!stageId &&
      stageId !== parent.stageId && {
        pointer: '/stageId',
        code: 'other_stage',
        detail: 'The stage must be that of the parent match. Remove `stageId`.',
      },
    !!group &&
      group !== parent.groupName && {
        pointer: '/group',
        code: 'other_group',
        detail: 'The group must be that of the parent match. Remove `group`.',
      },
    (!!tieId || !!leg) && {
      pointer: tieId ? '/tieId' : '/leg',
      code: 'not_in_tie',
      detail: 'A tie consists of whole matches. Set `tieId` and `leg` of the parent match.',
    },
  ];
}

/** The violations of a new sub-match. */
export async function subMatchViolations(
  transaction: Queryable,
  parent: MatchRow,
  input: CreateMatchInput,
): Promise<(Violation | false)[]> {
  const { seasonId, participants } = input;
  const [siblings] = await transaction.query<{ count: number }>(
    sql`/* matches.siblings */ select count(*)::int as count from match where parent_id = ${parent.id}`,
  );
  const pointer = '/parentMatchId';
  return [
    parent.seasonId !== seasonId && { pointer, code: 'unknown_match', detail: 'The season has no match with this ID.' },
    parent.parentId !== null && { pointer, code: 'nested', detail: 'The match is itself part of a match. Use that one.' },
    ...placeViolations(parent, input),
    (participants?.length ?? 0) > 2 && {
      pointer: '/participants/2',
      code: 'two_sides',
      detail: 'A part of a match has two sides, in the order of the parent match.',
    },
    (siblings?.count ?? 0) >= subMatchesMax && {
      pointer,
      code: 'too_many',
      detail: `The match already has ${subMatchesMax} parts, the maximum.`,
    },
  ];
}

/** The ID of a part of a match; null without one. */
export async function anySubMatch(queryable: Queryable, matchId: string): Promise<string | null> {
  const [sub] = await queryable.query<{ id: string }>(
    sql`/* matches.anySubMatch */ select id from match where parent_id = ${matchId} limit 1`,
  );
  return sub?.id ?? null;
}

/**
 * Deletes the clock of a match that gets its first part: each part has its own clock. The version stays, because an import changes the
 * match and its parts in one batch.
 */
export async function deleteClock(transaction: Queryable, matchId: string): Promise<void> {
  await transaction.query(sql`/* matches.deleteClock */ update match set clock = null where id = ${matchId}`);
}

/** Throws Problem in_use (409) for a match that has sub-matches. */
export async function requireNoSubMatches(transaction: Queryable, matchId: string): Promise<void> {
  const id = await anySubMatch(transaction, matchId);
  if (id !== null) throw new Problem('in_use', `The match ${id} is part of this match. Delete it first.`);
}

/** Creates the reads of sub-matches. A viewer that can read a match can read its parts. */
export function createSubMatchReads(database: Queryable) {
  const subMatches: BatchRead<string, MatchRow[]> = async (ids) => {
    const rows = await database.query<MatchRow>(sql`/* matches.subMatches */ select ${matchResource.table.columns} from match
      where parent_id = any(${[...ids]}::uuid[]) order by starts_at, id`);
    const byParent = Map.groupBy(rows, ({ parentId }) => parentId);
    return ids.map((id) => byParent.get(id) ?? []);
  };
  const subMatchScores: BatchRead<string, SubMatchScore | null> = async (ids) => {
    const rows = await database.query<{ id: string; score: SubMatchScore | null }>(sql`/* matches.subMatchScores */
      select id, ${subMatchScoreOf(sql`parent.id`)} as score from unnest(${[...ids]}::uuid[]) as parent(id)`);
    const byId = new Map(rows.map(({ id, score }) => [id, score]));
    return ids.map((id) => byId.get(id) ?? null);
  };
  return { subMatches, subMatchScores };
}
