/** Rotation: a key's successor, which counts with it, and the time for which the old one is still accepted. */
import { generateApiKey } from '../../../platform/security/api-key.ts';
import { sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Secrets } from '../../../platform/security/secrets.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem } from '../../../schema/errors.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { actorOf } from '../administrators/rules.ts';
import { apiKeyTransitions, hasExpired, requireActive } from '../rules.ts';
import type { createAccountStore } from '../accounts/reads.ts';
import { insertKey, revocation } from './writes.ts';
import { apiKeyResource, type ApiKeyRow, type createApiKeyStore } from './reads.ts';
import { lockKey } from './plan-changes.ts';

interface Stores {
  readonly secrets: Secrets;
  readonly keys: ReturnType<typeof createApiKeyStore>;
  readonly accounts: ReturnType<typeof createAccountStore>;
}

/** The row of the successor: what the holder may do, and what it counts against, stays. */
const successorOf = (row: ApiKeyRow, createdBy: string): Partial<ApiKeyRow> => ({
  name: row.name,
  accountId: row.accountId,
  planCode: row.planCode,
  planVersion: row.planVersion,
  nextPlanCode: row.nextPlanCode,
  nextPlanVersion: row.nextPlanVersion,
  nextPlanAt: row.nextPlanAt,
  scopes: row.scopes,
  allowedCidrs: row.allowedCidrs,
  quotaSubjectId: row.quotaSubjectId,
  rotatedFrom: row.id,
  expiresAt: row.expiresAt,
  createdBy,
});

/** Rotation of keys over the area's database. */
export function createApiKeyRotation({ writer, announce }: AreaServices, { secrets, keys, accounts }: Stores) {
  /** A key that can be rotated, its account held: moves of the account wait for the successor, and closing as well. */
  async function lockRotatable(transaction: WriteTransaction, id: string): Promise<ApiKeyRow> {
    const [known] = await keys.read([id], transaction);
    const account = known && (await accounts.find(transaction, known.accountId));
    const row = await lockKey(transaction, id);
    nextState(apiKeyTransitions, 'rotate', row.status, ['MODERATOR']);
    if (row.rotatedTo !== null)
      throw new Problem('conflict', 'This key has a successor already. Rotate that one.', { existingId: row.rotatedTo });
    if (hasExpired(row)) throw new Problem('conflict', 'This key has expired. Issue another.');
    if (account) requireActive(account);
    return row;
  }

  return {
    /**
     * Issues the successor of an ACTIVE key, and answers its secret, this once. The old key is accepted until its grace ends, or its expiry
     * where that is earlier; with a grace of 0 it is revoked.
     * @throws Problem not_found (404), invalid_transition (409), conflict (409: it has a successor, has expired, or its account is not active)
     */
    async rotate(context: Context, id: string, graceSeconds: number): Promise<{ key: string; apiKey: ApiKeyRow }> {
      const secret = generateApiKey();
      const before: ApiKeyRow[] = [];
      const apiKey = await writer.write(context, async (transaction) => {
        const row = await lockRotatable(transaction, id);
        const successor = await insertKey(transaction, secrets, secret, successorOf(row, actorOf(context.viewer)));
        const [grace] = await transaction.query<{ ends: string }>(sql`/* apiKeys.graceEnd */
          select least(${row.expiresAt}::timestamptz, now() + ${graceSeconds}::int * interval '1 second')::timestamptz(3) as ends`);
        const values = { rotatedTo: successor.id, ...(graceSeconds > 0 && grace && { expiresAt: grace.ends }) };
        const data = { successorId: successor.id, graceSeconds };
        const rotated = await changeRow(transaction, apiKeyResource, row, values, {
          action: 'rotate',
          event: 'api_key.rotated',
          data,
        });
        if (graceSeconds === 0) {
          const revoked = { action: 'revoke', event: 'api_key.revoked', data: { reason: 'rotated' } } as const;
          await changeRow(transaction, apiKeyResource, rotated, revocation(context.viewer, 'rotated'), revoked);
        }
        before.splice(0, before.length, row);
        return successor;
      });
      for (const { publicId } of before) await announce?.(publicId);
      return { key: secret.key, apiKey };
    },
  };
}
