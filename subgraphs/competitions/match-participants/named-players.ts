/** Players of a line-up who have a name instead of a profile. */
import type { Violation } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { AgeGroup, LineupEntryInput } from '../generated/resolvers.ts';

/** Age groups whose players are adults, or may be. */
const adults: readonly AgeGroup[] = ['SENIOR', 'U23', 'U22', 'U21', 'U20', 'U19', 'MASTERS'];

/**
 * Violations of names in a contest for minors: a name in a line-up is public, while the profile of a minor is shown with consent only.
 * `pointers` are those of the line-ups.
 */
export async function namedPlayerViolations(
  queryable: Queryable,
  contestId: string,
  lineups: readonly (readonly LineupEntryInput[] | null | undefined)[],
  pointers: readonly string[],
): Promise<Violation[]> {
  const named = lineups.flatMap((lineup, index) =>
    (lineup ?? []).flatMap(({ name }, player) => (name ? [`${pointers[index] ?? ''}/${player}/name`] : [])),
  );
  if (named.length === 0) return [];
  const [contest] = await queryable.query<{ ageGroup: AgeGroup | null }>(sql`/* matches.ageGroup */
    select coalesce(contest.age_group, competition.age_group) as "ageGroup" from contest
      join season on season.id = contest.season_id join competition on competition.id = season.competition_id
    where contest.id = ${contestId}`);
  const ageGroup = contest?.ageGroup ?? null;
  if (ageGroup === null || adults.includes(ageGroup)) return [];
  const detail = `Players of the age group ${ageGroup} need a profile, which protects minors. Set \`athleteId\`.`;
  return named.map((pointer) => ({ pointer, code: 'profile_required', detail }));
}
