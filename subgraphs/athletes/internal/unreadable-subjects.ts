/** The minors whose data rows of any area contain, such as entries of the audit log and scouting reports. */
import { sql } from '../../../platform/database/database.ts';
import { readsMinors } from '../../../schema/viewer.ts';
import { latestToday } from '../../runtime/age.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { recordAdministratorAccess, type MinorPart } from '../athletes/minor-access.ts';

/**
 * Of athletes and of resources that belong to one, the ids that the viewer cannot read because the athlete is a minor. A read of the others
 * is recorded. A consent is always about a minor: it names the guardian after the athlete has come of age, too.
 */
export async function readUnreadableSubjects(
  { database }: Pick<AreaServices, 'database'>,
  { viewer }: Pick<Context, 'viewer'>,
  ids: readonly string[],
  part: MinorPart,
): Promise<string[]> {
  const rows = await database.query<{ id: string; athleteId: string }>(sql`/* athletes.unreadableSubjects */
    with wanted as (select unnest(${[...ids]}::uuid[]) as id), subject as (
      select w.id, w.id as athlete_id, false as is_consent from wanted w
      union all select c.id, c.athlete_id, true from wanted w join consent c on c.id = w.id
      union all select a.id, a.athlete_id, false from wanted w join absence a on a.id = w.id
      union all select s.id, s.athlete_id, false from wanted w join statistics s on s.id = w.id
    )
    select distinct s.id, s.athlete_id as "athleteId" from subject s join athlete a on a.id = s.athlete_id
    where s.is_consent or a.activated_as_minor or a.adult_from is null or a.adult_from > ${latestToday()}::date`);
  if (!readsMinors(viewer)) return rows.map(({ id }) => id);
  const minors = rows.map(({ athleteId }) => ({ id: athleteId }));
  await recordAdministratorAccess(database, viewer, minors, part);
  return [];
}
