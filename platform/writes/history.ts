/** The history of an area's resources, as the audit log reads it. */
import { hasFullAccess, type Viewer } from '../../schema/viewer.ts';
import { Problem } from '../../schema/errors.ts';
import { join, raw, sql, type Queryable, type Sql } from '../database/database.ts';

export interface HistoryActor {
  readonly kind: 'KEY' | 'MEMBER' | 'ADMINISTRATOR' | 'SYSTEM';
  readonly administratorId: string | null;
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly accountId: string | null;
  readonly address: string | null;
}

/** A changed member; values are JSON, null if absent. */
export interface HistoryChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface HistoryEntry {
  readonly id: string;
  readonly at: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly version: number;
  readonly action: string;
  readonly actor: HistoryActor;
  readonly reason: string | null;
  readonly changes: readonly HistoryChange[];
  /** The persons whose data the resource has or had, among other IDs of its members. */
  readonly subjectIds?: readonly string[];
}

/** A row of the history table. */
export interface HistoryRow extends Omit<HistoryEntry, 'actor' | 'changes'> {
  readonly actor: Pick<HistoryActor, 'kind'> & Partial<HistoryActor>;
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}

type Maybe<Value> = Value | null | undefined;

export interface HistoryFilter {
  readonly bySystem?: Maybe<boolean>;
  readonly administratorId?: Maybe<string>;
  readonly userId?: Maybe<string>;
  readonly keyId?: Maybe<string>;
  readonly resourceType?: Maybe<string>;
  readonly resourceId?: Maybe<string>;
  readonly action?: Maybe<string>;
  readonly from?: Maybe<string>;
  readonly to?: Maybe<string>;
}

export interface HistoryArguments {
  readonly first: number;
  readonly before?: Maybe<{ readonly at: string; readonly id: string }>;
  readonly filter?: Maybe<HistoryFilter>;
}

export const historyColumns = raw(
  'history.id, at, resource_type as "resourceType", resource_id as "resourceId", version, action, actor, reason, changes',
);

const textOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export function entryOf({ actor, changes, ...row }: HistoryRow): HistoryEntry {
  const noActor = { administratorId: null, userId: null, keyId: null, accountId: null, address: null };
  const members = Object.entries(changes).map(([field, [before, after]]) => ({
    field,
    before: textOf(before),
    after: textOf(after),
  }));
  return { ...row, actor: { ...noActor, ...actor }, changes: members };
}

/** Conditions on the actor. They repeat the index predicates word for word so that PostgreSQL uses the indexes. */
function actorConditions({ bySystem, administratorId, userId, keyId, resourceId }: HistoryFilter): Sql[] {
  if (keyId) return [sql`actor ->> 'kind' = 'KEY' and actor ->> 'keyId' = ${keyId}`];
  if (userId) return [sql`actor ->> 'kind' = 'MEMBER' and actor ->> 'userId' = ${userId}`];
  const administrators = sql`actor ->> 'kind' = 'ADMINISTRATOR'`;
  if (administratorId) return [sql`${administrators} and actor ->> 'administratorId' = ${administratorId}`];
  if (resourceId) return [];
  return [bySystem ? sql`actor ->> 'kind' in ('ADMINISTRATOR', 'SYSTEM')` : administrators];
}

function conditions(filter: HistoryFilter): Sql[] {
  const { resourceType, resourceId, action, from, to } = filter;
  const where = actorConditions(filter);
  if (resourceType) where.push(sql`resource_type = ${resourceType}`);
  if (resourceId) where.push(sql`resource_id = ${resourceId}::uuid`);
  if (action) where.push(sql`action = ${action}`);
  if (from) where.push(sql`at >= ${from}::timestamptz`);
  if (to) where.push(sql`at < ${to}::timestamptz`);
  return where;
}

/** Where resources of an area name the persons whose data they have. */
export interface HistorySubject {
  /** Members with IDs of persons, at any depth. Other IDs in them are ignored by the reader. */
  readonly members: readonly string[];
  /** A member that names a resource with these members. */
  readonly through?: { readonly member: string; readonly resourceType: string };
}

/** All texts in a value that are IDs. Lax mode would also match arrays of them. */
const idsPath = 'strict $.** ? (@ like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")';

/** The IDs that members of resources have or had, from all entries of their history. `resource` is a condition on the rows `f`. */
export const idsInHistory = (members: readonly string[], resource: Sql): Sql => sql`select found.id #>> '{}' as id
  from history f cross join unnest(${[...members]}::text[]) as named(member)
    cross join jsonb_path_query(f.changes -> named.member, ${idsPath}::jsonpath) as found(id)
  where ${resource} and f.changes ?| ${[...members]}::text[]`;

/** The IDs of the persons of a resource `r`. The array is evaluated first, so that both parts use the index of the resource. */
function subjectsOf({ members, through }: HistorySubject): Sql {
  const ofResource = sql`f.resource_type = r."resourceType" and f.resource_id = r."resourceId"`;
  const own = idsInHistory(members, ofResource);
  if (!through) return own;
  const named = sql`select n.id::uuid from (${idsInHistory([through.member], ofResource)}) n`;
  const ofNamed = sql`f.resource_type = ${through.resourceType} and f.resource_id = any(array(${named}))`;
  return sql`${own} union all ${idsInHistory(members, ofNamed)}`;
}

/**
 * The history of an area's resources, newest first. Without a resource or key filter: what administrators did.
 * Throws Problem insufficient_scope (403) unless the viewer is an administrator or the platform.
 * @param subject where the resources of the area name persons
 */
export async function readHistory(
  database: Queryable,
  viewer: Viewer,
  { first, before, filter }: HistoryArguments,
  subject: HistorySubject,
): Promise<HistoryEntry[]> {
  if (!hasFullAccess(viewer)) throw new Problem('insufficient_scope', 'Only administrators can read the audit log.');
  const where = conditions(filter ?? {});
  if (before) where.push(sql`(at, id) < (${before.at}::timestamptz, ${before.id}::uuid)`);
  const rows = await database.query<HistoryRow>(sql`/* history.list */ with page as materialized (
      select ${historyColumns} from history where ${join(where, ' and ')} order by at desc, id desc limit ${first}
    ), resource as materialized (
      select r.*, array(select distinct s.id from (${subjectsOf(subject)}) s) as "subjectIds"
      from (select distinct "resourceType", "resourceId" from page) r
    )
    select page.*, "subjectIds" from page join resource using ("resourceType", "resourceId") order by at desc, id desc`);
  return rows.map(entryOf);
}
