/** Rotation of an API key: issues a successor in the same lineage and limits the grace period of the old key. */
import { Problem } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { generateApiKey, keyModeOf } from '../../../platform/security/api-key.ts';
import type { Secrets } from '../../../platform/security/secrets.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { requireActive } from '../accounts/rules.ts';
import { findAccount } from '../accounts/writes.ts';
import { actorOf } from '../administrators/actor.ts';
import { lockKey } from './due-plan-changes.ts';
import type { ApiKeyReads } from './reads.ts';
import { apiKeyResource, type ApiKeyRow } from './rows.ts';
import { apiKeyTransitions, hasExpired, requireGrantable, requireScopesOfRole } from './rules.ts';
import { insertKey, revocation } from './writes.ts';

/** The values of the successor: it has the rights and the quota of the old key. */
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
  registeredDocumentsOnly: row.registeredDocumentsOnly,
  quotaSubjectId: row.quotaSubjectId,
  rotatedFrom: row.id,
  expiresAt: row.expiresAt,
  createdBy,
});

interface Dependencies {
  readonly secrets: Secrets;
  readonly keys: ApiKeyReads;
}

/** Rotation of API keys over the area's database. */
export function createApiKeyRotation({ writer, announce }: AreaServices, { secrets, keys }: Dependencies) {
  /** Locks the key and its account, so that plan changes and the closing of the account wait for the successor. */
  async function lockRotatable(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<ApiKeyRow> {
    const [key] = await keys.byIds([id], transaction);
    const account = key && (await findAccount(transaction, key.accountId));
    const row = await lockKey(transaction, viewer, id);
    // the response has the secret of the successor, which has the same scopes
    requireGrantable(row.scopes, viewer);
    requireScopesOfRole(row.scopes, viewer);
    nextState(apiKeyTransitions, 'rotate', row.status, ['MODERATOR']);
    if (row.rotatedTo !== null) {
      const extensions = { existingId: row.rotatedTo };
      throw new Problem('conflict', 'This API key was already rotated. Rotate its successor instead.', extensions);
    }
    if (hasExpired(row)) throw new Problem('conflict', 'This API key has expired. Issue a new key instead.');
    if (account) requireActive(account);
    return row;
  }

  return {
    /**
     * Issues the successor of an ACTIVE key and returns its secret once. The old key is accepted until the grace period ends or it expires;
     * with a grace period of 0 it is revoked.
     * @param admit checks and locks whether both keys can be in use during a grace period; default: no limit
     * @throws Problem not_found (404), insufficient_scope (403: a member cannot grant a scope of the key), invalid_transition (409), conflict (409: already rotated, expired, or the account is not active)
     */
    async rotate(
      context: Context,
      id: string,
      graceSeconds: number,
      admit?: (transaction: Queryable) => Promise<void>,
    ): Promise<{ key: string; apiKey: ApiKeyRow }> {
      const rotations: { publicId: string; key: string }[] = [];
      const apiKey = await writer.write(context, async (transaction) => {
        const row = await lockRotatable(transaction, context.viewer, id);
        if (graceSeconds > 0) await admit?.(transaction);
        const generated = generateApiKey(keyModeOf(row.publicId));
        const successor = await insertKey(transaction, secrets, generated, successorOf(row, actorOf(context.viewer)));
        const [grace] = await transaction.query<{ ends: string }>(sql`/* apiKeys.graceEnd */
          select least(${row.expiresAt}::timestamptz, now() + ${graceSeconds}::int * interval '1 second')::timestamptz(3) as ends`);
        const values = { rotatedTo: successor.id, ...(graceSeconds > 0 && grace && { expiresAt: grace.ends }) };
        const data = { successorId: successor.id, graceSeconds };
        const change = { action: 'rotate', event: 'api_key.rotated', data } as const;
        const rotated = await changeRow(transaction, apiKeyResource, row, values, change);
        if (graceSeconds === 0) {
          const revoked = { action: 'revoke', event: 'api_key.revoked', data: { reason: 'rotated' } } as const;
          await changeRow(transaction, apiKeyResource, rotated, revocation(context.viewer, 'rotated'), revoked);
        }
        // a retried transaction runs this function again
        rotations.splice(0, rotations.length, { publicId: row.publicId, key: generated.key });
        return successor;
      });
      const [rotation] = rotations;
      if (rotation === undefined) throw new Error('The rotation did not run');
      await announce?.(rotation.publicId);
      return { key: rotation.key, apiKey };
    },
  };
}
