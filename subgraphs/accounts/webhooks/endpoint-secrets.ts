/** Secrets of webhook endpoints: generated here, returned once, and stored encrypted. */
import { randomBytes } from 'node:crypto';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { seal, unseal } from '../../../platform/security/sealed-text.ts';
import type { Secrets } from '../../../platform/security/secrets.ts';
import type { WebhookSecretRow } from './rows.ts';

/** The purpose of the key that encrypts the secrets (wiring/keys.ts). */
export const webhookSecretPurpose = 'webhook-secret/1';
/** `whsec_` and four characters of base64. */
const prefixLength = 10;
/** How long deliveries have the signature of the previous secret. */
const graceHours = 24;

/** A new secret in the format of Standard Webhooks. */
const generateSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Throws Error for a secret that was encrypted with another key or for another endpoint. */
export const decryptSecret = (secrets: Secrets, endpointId: string, encrypted: Buffer): string =>
  unseal({ secrets, purpose: webhookSecretPurpose }, endpointId, encrypted);

/** Secrets over the area's database; `secrets` has the key that encrypts them. */
export function createEndpointSecrets(database: Queryable, secrets: Secrets) {
  return {
    /** Sets a new secret. The current one becomes the previous one for 24 hours, and an older one ends at once. Returns the new one. */
    async renew(transaction: Queryable, endpointId: string): Promise<string> {
      const secret = generateSecret();
      const encrypted = seal({ secrets, purpose: webhookSecretPurpose }, endpointId, secret);
      await transaction.query(sql`/* webhookSecrets.deletePrevious */
        delete from webhook_secret where endpoint_id = ${endpointId} and expires_at is not null`);
      await transaction.query(sql`/* webhookSecrets.limit */
        update webhook_secret set expires_at = now() + ${graceHours} * interval '1 hour' where endpoint_id = ${endpointId}`);
      await transaction.query(sql`/* webhookSecrets.insert */ insert into webhook_secret (endpoint_id, prefix, encrypted, created_at)
        values (${endpointId}, ${secret.slice(0, prefixLength)}, ${encrypted}, statement_timestamp())`);
      return secret;
    },
    /** The current secret, for a repeated request. Null for a deleted endpoint. */
    async current(endpointId: string): Promise<string | null> {
      const [row] = await database.query<{ encrypted: Buffer }>(sql`/* webhookSecrets.current */
        select encrypted from webhook_secret where endpoint_id = ${endpointId} and expires_at is null`);
      return row ? decryptSecret(secrets, endpointId, row.encrypted) : null;
    },
    /** The secrets that sign deliveries now, without their texts; the current one first. */
    async ofEndpoints(endpointIds: readonly string[]): Promise<WebhookSecretRow[][]> {
      const rows = await database.query<WebhookSecretRow>(sql`/* webhookSecrets.ofEndpoints */
        select endpoint_id as "endpointId", prefix, created_at as "createdAt", expires_at as "expiresAt" from webhook_secret
        where endpoint_id = any(${[...endpointIds]}::uuid[]) and (expires_at is null or expires_at > now())
        order by endpoint_id, expires_at desc nulls first`);
      const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId);
      return endpointIds.map((id) => byEndpoint.get(id) ?? []);
    },
  };
}

export type EndpointSecrets = ReturnType<typeof createEndpointSecrets>;
