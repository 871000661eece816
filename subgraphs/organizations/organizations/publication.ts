/** Teams and memberships that leave the public or come to it with their organization or athlete: partners who synchronize hear of each. */
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { registerExternalIds, releaseExternalIds } from '../../../platform/writes/external-id.ts';
import { publishedMembership, publishedTeam } from './visibility.ts';

const published = { team: publishedTeam, membership: publishedMembership } as const;

type Part = keyof typeof published;

const registeredTeams = (which: Sql): Sql => sql`resource_id in (select id from team where ${which} and ${publishedTeam})`;

/** Leaves a tombstone for each row that everybody sees now; called before it is hidden. As few statements for any number of rows. */
export async function leavePublic(transaction: Queryable, part: Part, which: Sql): Promise<void> {
  await transaction.query(sql`${raw(`/* ${part}.leavePublic */`)}
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select ${part}, id, account_id, true, statement_timestamp() from ${raw(part)} where ${which} and ${published[part]}
    on conflict (resource_type, resource_id) do update set public = true, at = excluded.at`);
  if (part === 'team') await releaseExternalIds(transaction, part, registeredTeams(which));
}

/** Brings back, as changed now, each row that everybody sees since; called after it was shown. As few statements for any number of rows. */
export async function enterPublic(transaction: Queryable, part: Part, which: Sql): Promise<void> {
  await transaction.query(sql`${raw(`/* ${part}.enterPublic */`)}
    with entered as (
      update ${raw(part)} set updated_at = statement_timestamp() where ${which} and ${published[part]} returning id
    )
    delete from tombstone t using entered e where t.resource_type = ${part} and t.resource_id = e.id`);
  if (part === 'team') await registerExternalIds(transaction, part, registeredTeams(which));
}
