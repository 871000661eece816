/** The names of the resources of this area in the audit log. */
import type { ResourceType } from '../../../schema/resource-names.ts';
import { sql, type Database } from '../../../platform/database/database.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';

/** The types with a name. Resources of other areas are references, whose fields the router fetches. */
const namedTypes: ReadonlySet<string> = new Set<ResourceType>([
  'account',
  'account_member',
  'administrator',
  'api_key',
  'plan',
  'webhook_endpoint',
]);

interface NameRow {
  readonly id: string;
  readonly name: string;
}

export const hasName = (resourceType: string): boolean => namedTypes.has(resourceType);

/** Names by id, in one statement for all types: ids are unique over all tables. */
export const createResourceNames =
  (database: Database): BatchRead<string, string | null> =>
  async (ids) => {
    const wanted = sql`any(${[...ids]}::uuid[])`;
    const rows = await database.query<NameRow>(sql`/* audit.resourceNames */
      select id, name from account where id = ${wanted}
      union all select m.id, u.name from account_member m join portal_user u on u.id = m.user_id where m.id = ${wanted}
      union all select id, name from administrator where id = ${wanted}
      union all select id, name from api_key where id = ${wanted}
      union all select id, name from plan where id = ${wanted}
      union all select id, url from webhook_endpoint where id = ${wanted}`);
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    return ids.map((id) => names.get(id) ?? null);
  };
