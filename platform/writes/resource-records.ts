/** What writes of a resource record: its changes, its creation, and the owner of its external IDs. */
import { transitionsBetween } from './transition.ts';
import type { ChangeRecord, Resource, ResourceRow } from './resource.ts';
import type { WriteTransaction } from './write.ts';

/** A change of a resource, with whether it was and is public. */
export function changeOf<Row extends ResourceRow>(
  resource: Resource<Row>,
  before: Row | null,
  after: Row | null,
  moved: ChangeRecord,
) {
  const row = after ?? before;
  return {
    ...moved,
    before,
    after,
    resourceType: resource.type,
    ...(row !== null && { audience: resource.audienceOf?.(row) ?? [] }),
    publicBefore: before !== null && resource.isPublic(before),
    publicAfter: after !== null && resource.isPublic(after),
  };
}

/** Records the creation of a row in its initial state, and each transition that the request skipped. Only the creation publishes an event. */
export function recordCreation<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  row: Row,
  data: Readonly<Record<string, unknown>> | undefined,
): void {
  const { initial, transitions } = resource.lifecycle ?? { initial: '', transitions: {} };
  const skipped = 'status' in row ? (transitionsBetween(transitions, initial, String(row.status)) ?? []) : [];
  let before = skipped.length > 0 ? { ...row, status: initial } : row;
  const creation = changeOf(resource, null, before, { action: 'created', event: resource.created, ...(data ? { data } : {}) });
  // its event is for the readers of the row in its last state, because the skipped transitions publish none
  transaction.record({ ...creation, audience: resource.audienceOf?.(row) ?? [] });
  for (const { action, to } of skipped) {
    const after = { ...row, status: to };
    transaction.record(changeOf(resource, before, after, { action, event: null }));
    before = after;
  }
}

/** The account and the resource that own external IDs, and whether IDs of public registries apply. */
export function ownerOf<Row extends ResourceRow>(resource: Resource<Row>, row: Row, writtenBy = row.accountId) {
  const { isPublic, hasRegistryIds = isPublic } = resource;
  return { accountId: writtenBy, resourceId: row.id, registered: hasRegistryIds !== false && hasRegistryIds(row) };
}
