/** Writes of webhook endpoints: create, update, delete, enable, disable, and new secrets. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { keyScopes } from '../../../schema/scopes.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import {
  lockForTransition,
  lockOwnedAt,
  removeOwned,
  type ExpectedVersion,
  type TransitionArguments,
} from '../../../platform/writes/lifecycle.ts';
import { changeRow, insertResource, lockOwned, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import type { Replayable, WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { requireScope } from '../access.ts';
import { findAccount } from '../accounts/writes.ts';
import type { MutationCreateWebhookEndpointArgs, UpdateWebhookEndpointInput } from '../generated/resolvers.ts';
import { readEndpointUse } from './endpoint-use.ts';
import type { EndpointSecrets } from './endpoint-secrets.ts';
import type { WebhookReads } from './reads.ts';
import { webhookEndpointResource, type WebhookEndpointNode, type WebhookEndpointRow } from './rows.ts';
import { requireIncluded, typeViolations, urlViolation, webhookTransitions } from './rules.ts';

const distinct = <Value>(values: readonly Value[] | null | undefined): Value[] => [...new Set(values ?? [])];

/** The row values of an update; an absent member is unchanged, and null removes a filter. */
function patchOf({ url, description, types, areas, sports, competitionIds, organizationIds }: UpdateWebhookEndpointInput) {
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(types !== undefined && { types: distinct(types) }),
    ...(areas !== undefined && { areas: distinct(areas) }),
    ...(sports !== undefined && { sports: distinct(sports) }),
    ...(competitionIds !== undefined && { competitionIds: distinct(competitionIds) }),
    ...(organizationIds !== undefined && { organizationIds: distinct(organizationIds) }),
  };
}

/** The account and the scopes of a new endpoint. */
type NewOwner = Pick<WebhookEndpointRow, 'accountId' | 'scopes'>;

/**
 * The owner of a new endpoint: the account of the key or member with its scopes, or the account that an administrator names. The latter has
 * no key to take scopes from, so that its deliveries contain no data of minors until a key of the account updates the endpoint.
 * Throws Problem api_key_missing (401), insufficient_scope (403) or validation_failed (422).
 */
function newOwner(viewer: Viewer, accountId: string | null | undefined): NewOwner {
  if (!accountId && !hasFullAccess(viewer))
    return { accountId: requireAccount(viewer), scopes: viewer.scopes.filter((scope) => keyScopes.includes(scope)) };
  requireScope(viewer, 'administration:write');
  if (!accountId)
    rejectInvalid([{ pointer: '/accountId', code: 'required', detail: 'Name the account of the webhook endpoint.' }]);
  return { accountId: accountId ?? '', scopes: ['events:read'] };
}

/** Throws Problem validation_failed (422) for an unknown account, and conflict (409) for one that is not active. */
async function requireActiveAccount(transaction: WriteTransaction, accountId: string): Promise<void> {
  const account = await findAccount(transaction, accountId);
  const detail = `There is no account with the ID ${accountId}.`;
  rejectInvalid([account === null && { pointer: '/accountId', code: 'not_found', detail }]);
  if (account && account.status !== 'ACTIVE')
    throw new Problem(
      'conflict',
      `The account "${account.name}" is ${account.status.toLowerCase()} and cannot get webhook endpoints.`,
    );
}

/**
 * The scopes of an endpoint after an update: those of the key of the request. A member keeps those of the role, because the new URL must not receive
 * what the member cannot read. An administrator changes none.
 */
function scopesAfter(before: WebhookEndpointRow, { kind, scopes }: Viewer): { readonly scopes?: string[] } {
  if (kind === 'KEY') return { scopes: [...scopes] };
  const own: readonly string[] = scopes;
  return kind === 'MEMBER' ? { scopes: before.scopes.filter((scope) => own.includes(scope)) } : {};
}

/** A new URL or state starts without failures. */
const forgetFailures = (transaction: Queryable, id: string) =>
  transaction.query(sql`/* webhookHealth.forget */ update webhook_health set failing_since = null where endpoint_id = ${id}`);

/** Locks the number of enabled endpoints. Throws Problem conflict (409) for an account that cannot enable another one. */
async function requireAnother(transaction: Queryable, accountId: string): Promise<void> {
  await transaction.query(
    sql`/* webhookEndpoints.lockAccount */ select pg_advisory_xact_lock(hashtextextended('webhook_endpoint ' || ${accountId}, 0))`,
  );
  requireIncluded(await readEndpointUse(transaction, accountId));
}

interface Dependencies {
  readonly reads: WebhookReads;
  readonly secrets: EndpointSecrets;
}

/** Writes over the area's database. */
export function createWebhookWrites({ writer, allowLocalUrls }: AreaServices, { reads, secrets }: Dependencies) {
  const replayable = replaysOf(reads.byId);

  /** A repeated request returns the secret as well: its first response may have been lost. */
  function replayableWithSecret(context: Context, operation: string, key: string | null | undefined, input: unknown) {
    const plain = replayable(context, operation, key, input);
    const reload: Replayable<WebhookEndpointNode>['reload'] = async (id) => {
      const row = await plain.reload(id);
      return row && { ...row, secret: await secrets.current(id) };
    };
    return { ...plain, reload };
  }

  /** Moves an endpoint of the viewer to another state. */
  async function transition(context: Context, verb: 'enable' | 'disable', { id, idempotencyKey }: TransitionArguments) {
    const work = async (transaction: WriteTransaction): Promise<WebhookEndpointRow> => {
      const { row, status } = await lockForTransition(
        transaction,
        webhookEndpointResource,
        webhookTransitions,
        context.viewer,
        verb,
        id,
      );
      if (status === 'DISABLED') {
        const values = { status, disabledReason: 'OWNER', disabledAt: new Date().toISOString() } as const;
        return changeRow(transaction, webhookEndpointResource, row, values, { action: verb, event: 'webhook_endpoint.disabled' });
      }
      await requireAnother(transaction, row.accountId);
      await forgetFailures(transaction, id);
      const values = { status, disabledReason: null, disabledAt: null };
      return changeRow(transaction, webhookEndpointResource, row, values, { action: verb, event: 'webhook_endpoint.updated' });
    };
    return writer.write(context, work, replayable(context, `${verb}WebhookEndpoint`, idempotencyKey, { id }));
  }

  return {
    /** Throws Problem validation_failed (422), or conflict (409: the plan includes no further endpoint). */
    create(
      context: Context,
      { input, accountId, idempotencyKey }: MutationCreateWebhookEndpointArgs,
    ): Promise<WebhookEndpointNode> {
      const owner = newOwner(context.viewer, accountId);
      rejectInvalid([urlViolation(input.url, allowLocalUrls), ...typeViolations(input.types)]);
      const work = async (transaction: WriteTransaction): Promise<WebhookEndpointNode> => {
        if (hasFullAccess(context.viewer)) await requireActiveAccount(transaction, owner.accountId);
        await requireAnother(transaction, owner.accountId);
        const values = { ...patchOf(input), ...owner };
        const row = await insertResource(transaction, webhookEndpointResource, values, null);
        return { ...row, secret: await secrets.renew(transaction, row.id) };
      };
      return writer.write(
        context,
        work,
        replayableWithSecret(context, 'createWebhookEndpoint', idempotencyKey, accountId ? { input, accountId } : input),
      );
    },
    /** Throws Problem not_found (404), precondition_failed (412) or validation_failed (422). */
    update(context: Context, { input, ...expected }: ExpectedVersion & { readonly input: UpdateWebhookEndpointInput }) {
      rejectInvalid([!!input.url && urlViolation(input.url, allowLocalUrls), ...typeViolations(input.types)]);
      return writer.write(context, async (transaction): Promise<WebhookEndpointRow> => {
        const before = await lockOwnedAt(transaction, webhookEndpointResource, context.viewer, expected);
        const values = { ...patchOf(input), ...scopesAfter(before, context.viewer) };
        const after = await patchResource(transaction, webhookEndpointResource, before, values, undefined);
        if (after.url !== before.url) await forgetFailures(transaction, before.id);
        return after;
      });
    },
    /** Throws Problem not_found (404) or precondition_failed (412). */
    remove: (context: Context, expected: ExpectedVersion): Promise<WebhookEndpointRow> =>
      writer.write(context, (transaction) => removeOwned(transaction, webhookEndpointResource, context.viewer, expected)),
    /** Throws Problem not_found (404), invalid_transition (409), or conflict (409: the plan includes no further endpoint). */
    enable: (context: Context, args: TransitionArguments) => transition(context, 'enable', args),
    /** Throws Problem not_found (404) or invalid_transition (409). */
    disable: (context: Context, args: TransitionArguments) => transition(context, 'disable', args),
    /** Throws Problem not_found (404). */
    rotate(context: Context, { id, idempotencyKey }: TransitionArguments): Promise<WebhookEndpointNode> {
      const work = async (transaction: WriteTransaction): Promise<WebhookEndpointNode> => {
        const before = await lockOwned(transaction, webhookEndpointResource, context.viewer, id);
        const secret = await secrets.renew(transaction, id);
        const change = { action: 'rotate', event: 'webhook_endpoint.updated' } as const;
        return { ...(await changeRow(transaction, webhookEndpointResource, before, {}, change)), secret };
      };
      return writer.write(context, work, replayableWithSecret(context, 'rotateWebhookSecret', idempotencyKey, { id }));
    },
  };
}
