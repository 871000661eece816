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
  /** The person whose data the resource has, if a member of it names one. */
  readonly subjectId?: string | null;
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

/** Where resources of an area name the person whose data they have. */
export interface HistorySubject {
  readonly member: string;
  /** A resource that has the member, for resources that name that resource instead. */
  readonly through?: { readonly member: string; readonly resourceType: string };
}

/** The value of a member of the changed resource: in the entry, or in an earlier one that set it. */
const memberOf = (member: string): Sql => sql`coalesce(history.changes #>> array[${member}, '1'], (
  select f.changes #>> array[${member}, '1'] from history f where f.resource_type = history.resource_type
    and f.resource_id = history.resource_id and f.changes ? ${member} order by f.version limit 1))`;

function subjectOf({ member, through }: HistorySubject): Sql {
  if (!through) return memberOf(member);
  return sql`coalesce(${memberOf(member)}, (
    select f.changes #>> array[${member}, '1'] from history f where f.resource_type = ${through.resourceType}
      and f.resource_id = (${memberOf(through.member)})::uuid and f.changes ? ${member} order by f.version limit 1))`;
}

/**
 * The history of an area's resources, newest first. Without a resource or key filter: what administrators did.
 * Throws Problem insufficient_scope (403) unless the viewer is an administrator or the platform.
 * @param subject where the entries of the area name a person
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
  const rows =
    await database.query<HistoryRow>(sql`/* history.list */ select ${historyColumns}, ${subjectOf(subject)} as "subjectId"
    from history where ${join(where, ' and ')} order by at desc, id desc limit ${first}`);
  return rows.map(entryOf);
}
