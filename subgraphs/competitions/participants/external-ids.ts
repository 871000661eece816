/** External IDs of participants. They may contain names of persons, so they are visible only together with the athletes. */
import { hasFullAccess, owns } from '../../../schema/viewer.ts';
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, hasExternalId, type ExternalId } from '../../../platform/writes/external-id.ts';
import { createAdministratorReads } from '../../clients/administrator-reads.ts';
import { athletesById, isAthleteVisible } from '../../clients/athlete-facts.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ParticipantRow } from './rows.ts';

type Identified = Pick<ParticipantRow, 'id' | 'accountId' | 'athleteId' | 'memberIds'>;

const idsOf = ({ athleteId, memberIds }: Identified): string[] => [...(athleteId === null ? [] : [athleteId]), ...memberIds];

const administratorReads = createAdministratorReads('COMPETITIONS', idsOf);

/** Ids of the participants with an athlete that the viewer cannot read. The organizer sees the external IDs of all its participants. */
async function hiddenAmong(context: Context, rows: readonly Identified[]): Promise<ReadonlySet<string>> {
  const { viewer, notes } = context;
  const people = rows.filter((row) => !owns(viewer, row.accountId) && idsOf(row).length > 0);
  if (people.length === 0) return new Set();
  notes.person = true;
  if (hasFullAccess(viewer)) {
    const readable = new Set(await administratorReads.rows(context, people));
    return new Set(people.filter((row) => !readable.has(row)).map(({ id }) => id));
  }
  const athletes = await athletesById(context, people.flatMap(idsOf));
  const isHidden = (row: Identified): boolean => idsOf(row).some((id) => !isAthleteVisible(athletes.get(id), viewer));
  return new Set(people.filter(isHidden).map(({ id }) => id));
}

/** The condition on `external_id` that keeps a viewer from finding participants with hidden athletes by their external IDs. */
export async function visibleParticipantIds(context: Context, database: Queryable, text: string): Promise<Sql> {
  const rows = await database.query<Identified>(sql`/* participants.byExternalId */
    select id, account_id as "accountId", athlete_id as "athleteId", member_ids as "memberIds" from participant
    where ${hasExternalId('participant', raw('participant.id'), text)}`);
  return sql`external_id.resource_id <> all(${[...(await hiddenAmong(context, rows))]}::uuid[])`;
}

/** Creates the read of external IDs by participant. Participants with hidden athletes have none. */
export function createParticipantExternalIds(database: Queryable): BatchRead<ParticipantRow, ExternalId[]> {
  return async (rows, context) => {
    const ids = await externalIdsOf(
      database,
      'participant',
      rows.map(({ id }) => id),
    );
    const hidden = await hiddenAmong(
      context,
      rows.filter((_, index) => ids[index]?.length),
    );
    return rows.map(({ id }, index) => (hidden.has(id) ? [] : (ids[index] ?? [])));
  };
}
