/** API keys: issue, change, disable, enable, revoke. The secret exists only in the answer to the issue. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { generateApiKey, hashApiKey } from '../../../platform/security/api-key.ts';
import { sql } from '../../../platform/database/database.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { changeRow, lockRow, patchResource } from '../../../platform/writes/resource.ts';
import type { Secrets } from '../../../platform/security/secrets.ts';
import { insertInto } from '../../../platform/database/table.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { IssueApiKeyInput, UpdateApiKeyInput } from '../resolvers.generated.ts';
import { actorOf } from '../administrators/rules.ts';
import {
  apiKeyTransitions,
  expiryViolation,
  networkViolations,
  networksOf,
  requireActive,
  requireGrantable,
  requireScopesInPlan,
  scopeViolations,
  unknownPlan,
  type ApiKeyVerb,
  type Step,
} from '../rules.ts';
import { moveOf, noMove } from '../plans/terms.ts';
import type { createAccountStore } from '../accounts/reads.ts';
import { apiKeyResource, apiKeys, type ApiKeyRow, type createApiKeyStore } from './reads.ts';
import { lockKey, settle } from './plan-changes.ts';
import { planKey, type createPlanStore } from '../plans/reads.ts';

const pepperVersion = 1;

/** Days and times as the row has them, so that an equal instant is no change. */
const instant = (text: string): string => new Date(text).toISOString();

interface Stores {
  readonly secrets: Secrets;
  readonly keys: ReturnType<typeof createApiKeyStore>;
  readonly accounts: ReturnType<typeof createAccountStore>;
  readonly plans: ReturnType<typeof createPlanStore>;
}

/** Inserts a new key; its secret is hashed here, and nothing else is kept of it. */
export async function insertKey(
  transaction: WriteTransaction,
  secrets: Secrets,
  secret: ReturnType<typeof generateApiKey>,
  values: Partial<ApiKeyRow>,
): Promise<ApiKeyRow> {
  const hash = hashApiKey(secret.key, secrets.derive(`api-key-pepper/${pepperVersion}`));
  const kept = { hash: sql`${hash}`, pepper_version: sql`${pepperVersion}` };
  const [row] = await transaction.query<ApiKeyRow>(insertInto(apiKeys, { ...values, publicId: secret.publicId }, kept));
  if (!row) throw new Error('insert into api_key returned no row');
  transaction.record({ action: 'issued', event: 'api_key.issued', before: null, after: row });
  return row;
}

/** The members of a key that is revoked from now on: nothing is to come of it. */
export const revocation = (viewer: Viewer, reason: string | null): Partial<ApiKeyRow> => ({
  status: 'REVOKED',
  revokedAt: new Date().toISOString(),
  revokedBy: actorOf(viewer),
  revokedWhy: reason,
  ...noMove,
});

/** The fault of an expiry that would outlast the grace of a key that has a successor. */
function graceViolation({ rotatedTo, expiresAt: ends }: ApiKeyRow, expiresAt: string | null | undefined): Violation | null {
  if (rotatedTo === null || ends === null || expiresAt === undefined) return null;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(ends)) return null;
  return { pointer: '/expiresAt', code: 'after_grace', detail: `The key has a successor, and ends at ${ends} or earlier.` };
}

/** Writes of keys over the area's database. */
export function createApiKeyWrites({ writer, announce }: AreaServices, { secrets, keys, accounts, plans }: Stores) {
  async function insert(
    transaction: WriteTransaction,
    { viewer }: Context,
    input: IssueApiKeyInput,
    secret: ReturnType<typeof generateApiKey>,
  ) {
    const plan = await plans.current(input.plan, transaction);
    const known = input.accountId ? await accounts.find(transaction, input.accountId) : null;
    rejectInvalid([
      !!input.accountId === !!input.accountName && {
        pointer: '/accountId',
        code: 'one_of',
        detail: 'Give either accountId or accountName.',
      },
      !!input.accountId &&
        known === null && { pointer: '/accountId', code: 'unknown_account', detail: 'There is no account with this id.' },
      plan === null && unknownPlan(input.plan),
      ...scopeViolations(input.scopes),
      ...networkViolations(input.allowedCidrs),
      expiryViolation(input.expiresAt),
    ]);
    const scopes = [...new Set(input.scopes ?? [])];
    requireGrantable(scopes, viewer);
    if (plan) requireScopesInPlan(scopes, plan);
    const account = known ?? (await accounts.findOrCreate(transaction, input.accountName ?? ''));
    requireActive(account);
    const values: Partial<ApiKeyRow> = {
      name: input.name ?? 'key',
      accountId: account.id,
      planCode: input.plan,
      ...(plan && { planVersion: plan.version }),
      scopes,
      allowedCidrs: networksOf(input.allowedCidrs),
      expiresAt: input.expiresAt ?? null,
      createdBy: actorOf(viewer),
    };
    return insertKey(transaction, secrets, secret, values);
  }

  return {
    /**
     * Issues a key. Throws Problem validation_failed (422), write_not_in_plan (403) or conflict (409: the account's name is ambiguous,
     * or the account is not active).
     */
    async issue(context: Context, input: IssueApiKeyInput): Promise<{ key: string; apiKey: ApiKeyRow }> {
      const secret = generateApiKey();
      const apiKey = await writer.write(context, (transaction) => insert(transaction, context, input, secret));
      await announce?.(apiKey.publicId);
      return { key: secret.key, apiKey };
    },
    /** Throws Problem not_found (404), precondition_failed (412), invalid_transition (409), validation_failed (422) or write_not_in_plan (403). */
    async update(context: Context, id: string, input: UpdateApiKeyInput, ifMatch: string): Promise<ApiKeyRow> {
      const row = await writer.write(context, async (transaction) => {
        const found = await lockRow(transaction, apiKeyResource, id);
        requireVersion(ifMatch, found.version);
        if (found.status === 'REVOKED')
          throw new Problem('invalid_transition', 'A revoked key does not change.', {
            state: found.status,
            allowedTransitions: [],
          });
        const before = await settle(transaction, found);
        const { scopes, allowedCidrs, expiresAt, name } = input;
        rejectInvalid([
          ...scopeViolations(scopes),
          ...networkViolations(allowedCidrs),
          expiryViolation(expiresAt),
          graceViolation(before, expiresAt),
        ]);
        const patch = {
          ...(name !== undefined && { name }),
          ...(scopes !== undefined && { scopes: [...new Set(scopes ?? [])] }),
          ...(allowedCidrs !== undefined && { allowedCidrs: networksOf(allowedCidrs) }),
          ...(expiresAt !== undefined && { expiresAt: expiresAt && instant(expiresAt) }),
        };
        const granted = (patch.scopes ?? []).filter((scope) => !before.scopes.includes(scope));
        requireGrantable(granted, context.viewer);
        const next = moveOf(before);
        const terms = await plans.read([before, ...(next ? [next] : [])].map(planKey), transaction);
        for (const plan of terms) if (plan) requireScopesInPlan(patch.scopes ?? before.scopes, plan);
        // a deleted name is a null that patchResource refuses
        return patchResource(transaction, apiKeyResource, before, patch as Partial<ApiKeyRow>, undefined);
      });
      await announce?.(row.publicId);
      return row;
    },
    /** Takes a step of the state machine. Throws Problem not_found (404) or invalid_transition (409). */
    async transition(context: Context, verb: ApiKeyVerb, { id, reason, idempotencyKey }: Step): Promise<ApiKeyRow> {
      const step = async (transaction: WriteTransaction): Promise<ApiKeyRow> => {
        const before = await lockKey(transaction, id);
        const status = nextState(apiKeyTransitions, verb, before.status, ['MODERATOR']);
        const revoked = status === 'REVOKED';
        const values = revoked ? revocation(context.viewer, reason ?? null) : { status };
        const event = revoked ? 'api_key.revoked' : 'api_key.updated';
        return changeRow(transaction, apiKeyResource, before, values, { action: verb, event, data: reason ? { reason } : {} });
      };
      const replayable = replaysOf(keys.byId)(context, `${verb}ApiKey`, idempotencyKey, { id, reason });
      const row = await writer.write(context, step, replayable);
      await announce?.(row.publicId);
      return row;
    },
  };
}
