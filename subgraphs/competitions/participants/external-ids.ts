/** Ids of participants in other systems: an organizer may write names into them, so they are shown with the people they are about. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, hasExternalId, type ExternalId } from '../../../platform/writes/external-id.ts';
import { athletesById, isAthleteVisible } from '../../clients/athlete-facts.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ParticipantRow } from '../season-parts/rows.ts';

type Named = Pick<ParticipantRow, 'id' | 'accountId' | 'athleteId' | 'memberIds'>;

const isOpen = (viewer: Viewer, row: Named): boolean => owns(viewer, row.accountId) || hasFullAccess(viewer);

/** Those with somebody whom the viewer may not know of; the organizer's are the organizer's to know. */
async function hiddenAmong(context: Context, rows: readonly Named[]): Promise<ReadonlySet<string>> {
  const { viewer, notes } = context;
  const people = rows.filter((row) => !isOpen(viewer, row) && (row.athleteId !== null || row.memberIds.length > 0));
  if (people.length === 0) return new Set();
  notes.person = true;
  const idsOf = ({ athleteId, memberIds }: Named): string[] => [...(athleteId === null ? [] : [athleteId]), ...memberIds];
  const athletes = await athletesById(context, people.flatMap(idsOf));
  const isHidden = (row: Named): boolean => idsOf(row).some((id) => !isAthleteVisible(athletes.get(id), viewer));
  return new Set(people.filter(isHidden).map(({ id }) => id));
}

/** The condition on `external_id` by which a viewer finds participants under an id: none of somebody hidden. */
export async function seenIdsOfParticipants(context: Context, database: Queryable, text: string): Promise<Sql> {
  const rows = await database.query<Named>(sql`/* participants.named */
    select id, account_id as "accountId", athlete_id as "athleteId", member_ids as "memberIds" from participant
    where ${hasExternalId('participant', raw('participant.id'), text)}`);
  return sql`external_id.resource_id <> all(${[...(await hiddenAmong(context, rows))]}::uuid[])`;
}

/** Makes the read of ids by participant; none of one with somebody hidden. */
export function createParticipantIds(database: Queryable): BatchRead<ParticipantRow, ExternalId[]> {
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
