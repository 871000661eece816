/** API keys: issue, change, disable, enable, revoke. The secret exists only in the answer to the issue. */
import { Problem, refuse } from '../../../schema/errors.ts';
import { generateApiKey, hashApiKey } from '../../../platform/api-key.ts';
import { sql } from '../../../platform/database.ts';
import { requireVersion } from '../../../platform/precondition.ts';
import { changeRow, lockRow, patchResource } from '../../../platform/resource.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { insertInto } from '../../../platform/table.ts';
import { nextState } from '../../../platform/transition.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import type { AreaServices, Context } from '../../subgraph.ts';
import type { IssueApiKeyInput, UpdateApiKeyInput } from '../resolvers.generated.ts';
import {
  apiKeyTransitions,
  expiryFault,
  networkFaults,
  networksOf,
  requireScopesInPlan,
  scopeFaults,
  type ApiKeyVerb,
} from '../rules.ts';
import type { createAccountStore } from './account.ts';
import { apiKeyResource, apiKeys, type ApiKeyRow, type createApiKeyStore } from './api-key.ts';
import { planKey, type createPlanStore } from './plan.ts';

const pepperVersion = 1;

/** Days and times as the row has them, so that an equal instant is no change. */
const instant = (text: string): string => new Date(text).toISOString();

interface Step {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

interface Stores {
  readonly secrets: Secrets;
  readonly keys: ReturnType<typeof createApiKeyStore>;
  readonly accounts: ReturnType<typeof createAccountStore>;
  readonly plans: ReturnType<typeof createPlanStore>;
}

const unknownPlan = (code: string) => ({ pointer: '/plan', code: 'unknown_plan', detail: `There is no plan "${code}".` });

/** Writes of keys over the area's database. */
export function createApiKeyWrites({ writer }: AreaServices, { secrets, keys, accounts, plans }: Stores) {
  async function insert(
    transaction: WriteTransaction,
    { viewer }: Context,
    input: IssueApiKeyInput,
    secret: ReturnType<typeof generateApiKey>,
  ) {
    const plan = await plans.current(input.plan, transaction);
    const known = input.accountId ? await accounts.find(transaction, input.accountId) : null;
    refuse([
      !!input.accountId === !!input.accountName && {
        pointer: '/accountId',
        code: 'one_of',
        detail: 'Give either accountId or accountName.',
      },
      !!input.accountId &&
        known === null && { pointer: '/accountId', code: 'unknown_account', detail: 'There is no account with this id.' },
      plan === null && unknownPlan(input.plan),
      ...scopeFaults(input.scopes),
      ...networkFaults(input.allowedCidrs),
      expiryFault(input.expiresAt),
    ]);
    const scopes = [...new Set(input.scopes ?? [])];
    if (plan) requireScopesInPlan(scopes, plan);
    const account = known ?? (await accounts.findOrCreate(transaction, input.accountName ?? ''));
    if (account.status !== 'ACTIVE')
      throw new Problem('conflict', `The account "${account.name}" is ${account.status.toLowerCase()}; it gets no keys.`);
    const values: Partial<ApiKeyRow> = {
      publicId: secret.publicId,
      name: input.name ?? 'key',
      accountId: account.id,
      planCode: input.plan,
      ...(plan && { planVersion: plan.version }),
      scopes,
      allowedCidrs: networksOf(input.allowedCidrs),
      expiresAt: input.expiresAt ?? null,
      createdBy: viewer.kind,
    };
    const hash = hashApiKey(secret.key, secrets.derive(`api-key-pepper/${pepperVersion}`));
    const [row] = await transaction.query<ApiKeyRow>(
      insertInto(apiKeys, values, { hash: sql`${hash}`, pepper_version: sql`${pepperVersion}` }),
    );
    if (!row) throw new Error('insert into api_key returned no row');
    transaction.record({ action: 'issued', event: 'api_key.issued', before: null, after: row });
    return row;
  }

  return {
    /**
     * Issues a key. Throws Problem validation_failed (422), write_not_in_plan (403) or conflict (409: the account's name is ambiguous,
     * or the account is not active).
     */
    async issue(context: Context, input: IssueApiKeyInput): Promise<{ key: string; apiKey: ApiKeyRow }> {
      const secret = generateApiKey();
      const apiKey = await writer.write(context, (transaction) => insert(transaction, context, input, secret));
      return { key: secret.key, apiKey };
    },
    async update(context: Context, id: string, input: UpdateApiKeyInput, ifMatch: string): Promise<ApiKeyRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockRow(transaction, apiKeyResource, id);
        requireVersion(ifMatch, before.version);
        if (before.status === 'REVOKED')
          throw new Problem('invalid_transition', 'A revoked key does not change.', {
            state: before.status,
            allowedTransitions: [],
          });
        const { plan: code, scopes, allowedCidrs, expiresAt, name } = input;
        const [held] = await plans.read([planKey(before)], transaction);
        const plan = typeof code === 'string' ? await plans.current(code, transaction) : held;
        refuse([
          code === null && { pointer: '/plan', code: 'required', detail: 'This member cannot be deleted.' },
          typeof code === 'string' && !plan && unknownPlan(code),
          ...scopeFaults(scopes),
          ...networkFaults(allowedCidrs),
          expiryFault(expiresAt),
        ]);
        const patch = {
          ...(name !== undefined && { name }),
          ...(code !== undefined && plan && { planCode: plan.code, planVersion: plan.version }),
          ...(scopes !== undefined && { scopes: [...new Set(scopes ?? [])] }),
          ...(allowedCidrs !== undefined && { allowedCidrs: networksOf(allowedCidrs) }),
          ...(expiresAt !== undefined && { expiresAt: expiresAt && instant(expiresAt) }),
        };
        if (plan) requireScopesInPlan(patch.scopes ?? before.scopes, plan);
        // a deleted name is a null that patchResource refuses
        return patchResource(transaction, apiKeyResource, before, patch as Partial<ApiKeyRow>, undefined);
      });
    },
    /** Takes a step of the state machine. Throws Problem not_found (404) or invalid_transition (409). */
    async transition(context: Context, verb: ApiKeyVerb, { id, reason, idempotencyKey }: Step): Promise<ApiKeyRow> {
      const step = async (transaction: WriteTransaction): Promise<ApiKeyRow> => {
        const row = await lockRow(transaction, apiKeyResource, id);
        const status = nextState(apiKeyTransitions, verb, row.status, ['MODERATOR']);
        const revoked = { revokedAt: new Date().toISOString(), revokedBy: context.viewer.kind, revokedWhy: reason ?? null };
        const values = { status, ...(status === 'REVOKED' && revoked) };
        const event = status === 'REVOKED' ? 'api_key.revoked' : 'api_key.updated';
        return changeRow(transaction, apiKeyResource, row, values, { action: verb, event, data: reason ? { reason } : {} });
      };
      const replayable = {
        operation: `${verb}ApiKey`,
        key: idempotencyKey,
        input: { id, reason },
        reload: (known: string) => context.load(keys.byId, known),
      };
      return writer.write(context, step, replayable);
    },
  };
}
