/** Records of a write next to the changed rows: history, events, tombstones and the remembered Idempotency-Key. */
import { isDeepStrictEqual } from 'node:util';
import { eventResources } from '../../schema/events.ts';
import { events, type EventType } from '../../schema/events.ts';
import { isRecord } from '../../schema/records.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { sql, type Queryable } from '../database/database.ts';
import { isNetworkLabel } from '../security/network-label.ts';
import { eraseHistory } from './erase-traces.ts';
import { sportsOf } from './row-sports.ts';

/** One change of one resource. `before` is null for a creation, `after` is null for a deletion. */
export interface Change {
  readonly action: string;
  readonly event: EventType | null;
  readonly before: Snapshot | null;
  readonly after: Snapshot | null;
  /** Data for consumers in addition to the resource's ID: IDs, places of public tables, and `reason`, the only free text, which `eraseTraces` removes. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Whether the resource is public. A resource that stops being public leaves a tombstone for clients that synchronize. */
  readonly publicBefore?: boolean;
  readonly publicAfter?: boolean;
  /** Type of the resource, required when there is no event. */
  readonly resourceType?: string;
  /** Accounts that can read the event, in addition to the account of the resource. */
  readonly audience?: readonly string[];
}

export interface Snapshot {
  readonly id: string;
  readonly version: number;
  readonly accountId: string | null;
}

const bookkeeping = new Set(['version', 'updatedAt', 'createdAt']);

/** The members that differ, as {member: [before, after]}; all members of a new resource. */
export function difference(before: object | null, after: object | null): Record<string, [unknown, unknown]> {
  const changed: Record<string, [unknown, unknown]> = {};
  const old = new Map(Object.entries(before ?? {}));
  const now = new Map(Object.entries(after ?? {}));
  for (const member of new Set([...old.keys(), ...now.keys()])) {
    if (bookkeeping.has(member)) continue;
    const pair: [unknown, unknown] = [old.get(member) ?? null, now.get(member) ?? null];
    // jsonb does not preserve the order of members
    if (!isDeepStrictEqual(pair[0], pair[1])) changed[member] = pair;
  }
  return changed;
}

export interface RememberedRequest {
  readonly account: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly resourceId: string | null;
  readonly answer: object | null;
}

const typeOf = ({ event, resourceType }: Change): string => (event ? events[event].resource : (resourceType ?? 'unknown'));

/** The reason that the caller gave; null if there is none. */
const reasonOf = ({ data }: Change): string | null => (typeof data?.['reason'] === 'string' ? data['reason'] : null);

/** Resources that became public or stopped being public: only the states before the first and after the last change are visible to others. */
function visibilityChanges(changes: readonly Change[]) {
  const byResource = Map.groupBy(changes, (change) => `${typeOf(change)} ${(change.after ?? change.before)?.id ?? ''}`);
  return [...byResource.values()].flatMap((all) => {
    const [first, last] = [all[0], all.at(-1)];
    const now = last?.after ?? last?.before;
    if (!first || !last || !now) return [];
    const [before, after] = [first.publicBefore === true, last.publicAfter === true];
    const gone = before && !after ? 'PUBLIC' : last.after === null ? 'OWNER' : null;
    const back = !before && after;
    return gone || back ? [{ resource_type: typeOf(last), resource_id: now.id, account_id: now.accountId, gone, back }] : [];
  });
}

/** A label of a network. An earlier router sends addresses, which are not stored. */
const labelIn = (address: string) => (isNetworkLabel(address) ? { address } : {});

const actorOf = ({ kind, accountId, keyId, administrator, member }: Viewer) => ({
  kind,
  accountId,
  keyId,
  ...(administrator && { administratorId: administrator.id, ...labelIn(administrator.address) }),
  ...(member && { userId: member.userId, ...labelIn(member.address) }),
});

/** An id of the changed row, or of the data of the event. */
function idIn(row: Snapshot, { data }: Change, member: string): string | null {
  const value = (isRecord(row) ? row[member] : undefined) ?? data?.[member];
  return typeof value === 'string' ? value : null;
}

/** What the event feed needs of an event without reading its resource. */
function feedFacts(event: EventType, change: Change, row: Snapshot) {
  const type = events[event].resource;
  const { subject } = eventResources[type];
  return {
    subject_id: subject && idIn(row, change, subject),
    sports: sportsOf(row)?.sports ?? [],
    competition_id: type === 'competition' ? row.id : idIn(row, change, 'competitionId'),
    organization_id: type === 'organization' ? row.id : idIn(row, change, 'organizationId'),
    audience: change.audience ?? [],
    was_public: change.publicBefore === true || change.publicAfter === true,
  };
}

/** The history and event rows of the changes, as JSON for the statement. */
function recordsOf(changes: readonly Change[]) {
  return changes.flatMap((change) => {
    const { after, before } = change;
    const row = after ?? before;
    if (!row) return [];
    return [
      {
        resource_type: typeOf(change),
        resource_id: row.id,
        version: after ? row.version : row.version + 1,
        account_id: row.accountId,
        action: change.action,
        changes: after ? difference(before, after) : {},
        reason: reasonOf(change),
        event: change.event,
        data: change.data ?? {},
        ...(change.event && feedFacts(change.event, change, row)),
      },
    ];
  });
}

/** Parameters of the remembered request; all null without one. */
function rememberedValues(request: RememberedRequest | null) {
  if (!request) return { account: null, operation: null, key: null, fingerprint: null, resourceId: null, response: null };
  const { answer, ...values } = request;
  return { ...values, response: answer && JSON.stringify(answer) };
}

/** Removes the values of deleted resources from their history. */
async function eraseDeleted(transaction: Queryable, changes: readonly Change[]): Promise<void> {
  const deleted = changes.flatMap((change) =>
    change.before && !change.after ? { type: typeOf(change), id: change.before.id } : [],
  );
  for (const [type, resources] of Map.groupBy(deleted, (each) => each.type)) {
    const ids = resources.map(({ id }) => id);
    await eraseHistory(transaction, type, ids);
  }
}

/**
 * Writes all records in one statement, inside the transaction of the change. The history of a deleted resource retains the actions but not the
 * values, so that no personal data remains that could not be erased later.
 */
export async function flushChanges(
  transaction: Queryable,
  viewer: Viewer,
  changes: readonly Change[],
  remember: RememberedRequest | null,
): Promise<void> {
  if (changes.length === 0 && !remember) return;
  const actor = JSON.stringify(actorOf(viewer));
  const records = JSON.stringify(recordsOf(changes));
  const moved = JSON.stringify(visibilityChanges(changes));
  const request = rememberedValues(remember);
  await transaction.query(sql`/* write.flush */
    with change as (
      select * from jsonb_to_recordset(${records}::jsonb) as c(resource_type text, resource_id uuid, version int, account_id uuid,
        action text, changes jsonb, reason text, event text, data jsonb, subject_id uuid, sports text[], competition_id uuid,
        organization_id uuid, audience uuid[], was_public boolean)
    ), moved as (
      select * from jsonb_to_recordset(${moved}::jsonb) as m(resource_type text, resource_id uuid, account_id uuid, gone text, back boolean)
    ), history as (
      insert into history (resource_type, resource_id, version, action, actor, changes, reason)
      select resource_type, resource_id, version, action, ${actor}::jsonb, changes, reason from change
    ), event as (
      insert into outbox (type, resource_type, resource_id, version, account_id, data, subject_id, sports, competition_id, organization_id,
        audience, was_public)
      select event, resource_type, resource_id, version, account_id, data, subject_id, sports, competition_id, organization_id, audience,
        was_public from change where event is not null
    ), tombstone as (
      insert into tombstone (resource_type, resource_id, account_id, public, at)
      select resource_type, resource_id, account_id, gone = 'PUBLIC', statement_timestamp() from moved where gone is not null
      on conflict (resource_type, resource_id) do update set public = tombstone.public or excluded.public, at = excluded.at
    ), back as (
      delete from tombstone t using moved m where m.back and t.resource_type = m.resource_type and t.resource_id = m.resource_id
    )
    insert into idempotency (account_id, operation, key, fingerprint, resource_id, answer)
    select ${request.account}::uuid, ${request.operation}::text, ${request.key}::text, ${request.fingerprint}::bytea,
      ${request.resourceId}::uuid, ${request.response}::jsonb
    where ${remember !== null}
    on conflict (account_id, operation, key) do update
      set fingerprint = excluded.fingerprint, resource_id = excluded.resource_id, answer = excluded.answer, created_at = now()`);
  await eraseDeleted(transaction, changes);
}
