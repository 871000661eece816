/** Writes of API keys: issue, update and the transitions of their state. The secret exists only in the response of the issue. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { insertInto } from '../../../platform/database/table.ts';
import { apiKeyPepper, generateApiKey, hashApiKey, keyModeOf } from '../../../platform/security/api-key.ts';
import type { Secrets } from '../../../platform/security/secrets.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { changeRow, lockOwned, patchResource } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { requireActive, type TransitionRequest } from '../accounts/rules.ts';
import { findAccount, findOrCreateAccount } from '../accounts/writes.ts';
import { actorOf } from '../administrators/actor.ts';
import type { PlanReads } from '../plans/reads.ts';
import { planKey } from '../plans/rows.ts';
import { requireScopesInPlan, unknownPlanViolation } from '../plans/rules.ts';
import { noPlanChange, scheduledPlanChange } from '../plans/terms.ts';
import type { IssueApiKeyInput, UpdateApiKeyInput } from '../generated/resolvers.ts';
import { applyIfDue, lockKey } from './due-plan-changes.ts';
import { requireOperatorLimits } from './operator-limits.ts';
import type { ApiKeyReads } from './reads.ts';
import { apiKeyResource, apiKeys, type ApiKeyRow } from './rows.ts';
import {
  apiKeyTransitions,
  expiryViolation,
  graceViolation,
  networksOf,
  networkViolations,
  requireGrantable,
  requireScopesOfRole,
  revokedKeyProblem,
  scopeViolations,
  type ApiKeyVerb,
} from './rules.ts';

/** An instant in the form of the row, so that an equal instant is not a change. */
const canonicalInstant = (text: string): string => new Date(text).toISOString();

interface Dependencies {
  readonly secrets: Secrets;
  readonly keys: ApiKeyReads;
  readonly plans: PlanReads;
}

/** Inserts a new key and stores only the hash of its secret. */
export async function insertKey(
  transaction: WriteTransaction,
  secrets: Secrets,
  generated: ReturnType<typeof generateApiKey>,
  values: Partial<ApiKeyRow>,
): Promise<ApiKeyRow> {
  const hash = hashApiKey(generated.key, secrets.derive(apiKeyPepper));
  const computed = { hash: sql`${hash}`, pepper_version: sql`${secrets.version}` };
  const [row] = await transaction.query<ApiKeyRow>(insertInto(apiKeys, { ...values, publicId: generated.publicId }, computed));
  if (!row) throw new Error('insert into api_key returned no row');
  transaction.record({ action: 'issued', event: 'api_key.issued', before: null, after: row });
  return row;
}

/** The values of a revoked key. */
export const revocation = (viewer: Viewer, reason: string | null): Partial<ApiKeyRow> => ({
  status: 'REVOKED',
  revokedAt: new Date().toISOString(),
  revokedBy: actorOf(viewer),
  revokedWhy: reason,
  ...noPlanChange,
});

/** The row values of an update; an absent field is unchanged. */
function patchOf({ name, scopes, allowedCidrs, registeredDocumentsOnly, expiresAt }: UpdateApiKeyInput) {
  return {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes ?? [])] }),
    ...(allowedCidrs !== undefined && { allowedCidrs: networksOf(allowedCidrs) }),
    ...(registeredDocumentsOnly !== undefined && { registeredDocumentsOnly }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt && canonicalInstant(expiresAt) }),
  };
}

interface KeyUpdate {
  readonly id: string;
  readonly input: UpdateApiKeyInput;
  readonly ifMatch: string;
}

/** Inserts a key in the transaction of its issue. */
async function issueKey(
  { secrets, plans }: Dependencies,
  transaction: WriteTransaction,
  viewer: Viewer,
  input: IssueApiKeyInput,
  generated: ReturnType<typeof generateApiKey>,
) {
  const plan = await plans.current(input.plan, transaction);
  const found = input.accountId ? await findAccount(transaction, input.accountId) : null;
  rejectInvalid([
    !!input.accountId === !!input.accountName && {
      pointer: '/accountId',
      code: 'one_of',
      detail: 'Specify either `accountId` or `accountName`.',
    },
    !!input.accountId &&
      found === null && { pointer: '/accountId', code: 'unknown_account', detail: 'There is no account with this ID.' },
    plan === null && unknownPlanViolation(input.plan),
    ...scopeViolations(input.scopes),
    ...networkViolations(input.allowedCidrs),
    expiryViolation(input.expiresAt),
  ]);
  const scopes = [...new Set(input.scopes ?? [])];
  requireGrantable(scopes, viewer);
  if (plan && input.mode !== 'TEST') requireScopesInPlan(scopes, plan);
  const account = found ?? (await findOrCreateAccount(transaction, input.accountName ?? ''));
  requireActive(account);
  return insertKey(transaction, secrets, generated, {
    name: input.name ?? 'key',
    accountId: account.id,
    planCode: input.plan,
    ...(plan && { planVersion: plan.version }),
    scopes,
    allowedCidrs: networksOf(input.allowedCidrs),
    registeredDocumentsOnly: input.registeredDocumentsOnly ?? false,
    expiresAt: input.expiresAt ?? null,
    createdBy: actorOf(viewer),
  });
}

/** Locks a key and applies an update. */
async function patchKey(
  plans: PlanReads,
  transaction: WriteTransaction,
  viewer: Viewer,
  { id, input, ifMatch }: KeyUpdate,
): Promise<ApiKeyRow> {
  const locked = await lockOwned(transaction, apiKeyResource, viewer, id);
  requireVersion(ifMatch, locked.version);
  if (locked.status === 'REVOKED') throw revokedKeyProblem('A revoked API key cannot be changed.');
  const before = await applyIfDue(transaction, locked);
  rejectInvalid([
    ...scopeViolations(input.scopes),
    ...networkViolations(input.allowedCidrs),
    expiryViolation(input.expiresAt),
    graceViolation(before, input.expiresAt),
  ]);
  const values = patchOf(input);
  const added = (values.scopes ?? []).filter((scope) => !before.scopes.includes(scope));
  requireGrantable(added, viewer);
  requireScopesOfRole(added, viewer);
  await requireOperatorLimits(transaction, viewer, before, values);
  const scheduled = scheduledPlanChange(before);
  const isTest = keyModeOf(before.publicId) === 'TEST';
  const planKeys = isTest ? [] : [before, ...(scheduled ? [scheduled] : [])].map(planKey);
  const keyPlans = await plans.byKeys(planKeys, transaction);
  for (const plan of keyPlans) if (plan) requireScopesInPlan(values.scopes ?? before.scopes, plan);
  return patchResource(transaction, apiKeyResource, before, values, undefined);
}

/** Throws Problem conflict (409) if a member enables a key that the operator disabled. */
async function requireEnabledByMember(transaction: Queryable, viewer: Viewer, { id, status }: ApiKeyRow): Promise<void> {
  if (viewer.kind !== 'MEMBER' || status !== 'DISABLED') return;
  const [last] = await transaction.query<{
    kind: string;
  }>(sql`/* apiKeys.disabledBy */ select actor ->> 'kind' as kind from history
    where resource_type = 'api_key' and resource_id = ${id} and action = 'disable' order by version desc limit 1`);
  if (last?.kind !== 'MEMBER') throw new Problem('conflict', 'The operator disabled this key. Only the operator can enable it.');
}

/** Writes of API keys over the area's database. */
export function createApiKeyWrites({ writer, announce }: AreaServices, dependencies: Dependencies) {
  const { keys, plans } = dependencies;
  return {
    /**
     * Issues a key. Throws Problem validation_failed (422), write_not_in_plan (403) or conflict (409: several accounts have the name, or the
     * account is not active).
     */
    async issue(context: Context, input: IssueApiKeyInput): Promise<{ key: string; apiKey: ApiKeyRow }> {
      const generated = generateApiKey(input.mode ?? 'LIVE');
      const apiKey = await writer.write(context, (transaction) =>
        issueKey(dependencies, transaction, context.viewer, input, generated),
      );
      await announce?.(apiKey.publicId);
      return { key: generated.key, apiKey };
    },
    /** Throws Problem not_found (404), precondition_failed (412), invalid_transition (409), validation_failed (422) or write_not_in_plan (403). */
    async update(context: Context, id: string, input: UpdateApiKeyInput, ifMatch: string): Promise<ApiKeyRow> {
      const row = await writer.write(context, (transaction) =>
        patchKey(plans, transaction, context.viewer, { id, input, ifMatch }),
      );
      await announce?.(row.publicId);
      return row;
    },
    /** Changes the state of a key. Throws Problem not_found (404) or invalid_transition (409). */
    async transition(context: Context, verb: ApiKeyVerb, { id, reason, idempotencyKey }: TransitionRequest): Promise<ApiKeyRow> {
      const work = async (transaction: WriteTransaction): Promise<ApiKeyRow> => {
        const before = await lockKey(transaction, context.viewer, id);
        if (verb === 'enable') await requireEnabledByMember(transaction, context.viewer, before);
        const status = nextState(apiKeyTransitions, verb, before.status, ['MODERATOR']);
        const isRevoked = status === 'REVOKED';
        const values = isRevoked ? revocation(context.viewer, reason ?? null) : { status };
        const event = isRevoked ? 'api_key.revoked' : 'api_key.updated';
        return changeRow(transaction, apiKeyResource, before, values, { action: verb, event, data: reason ? { reason } : {} });
      };
      const replayable = replaysOf(keys.byId)(context, `${verb}ApiKey`, idempotencyKey, { id, reason });
      const row = await writer.write(context, work, replayable);
      await announce?.(row.publicId);
      return row;
    },
  };
}
