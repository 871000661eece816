/** Two accounts with webhook endpoints at one receiver. */
import { expect } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import type { TestPlatform } from '../../test-platform.ts';
import type { Receiver } from './receiver.ts';

export interface CreatedEndpoint {
  readonly id: string;
  readonly secret: string;
  readonly version: number;
}

/** Creates an endpoint. */
export async function createEndpoint(
  client: Client,
  { url }: Pick<Receiver, 'url'>,
  input: object = {},
): Promise<CreatedEndpoint> {
  const { status, body } = await client.post('/webhooks', { url, ...input });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

/** Deletes the endpoints of an account, so that the next test receives nothing of this one. */
export async function deleteEndpoints(client: Client): Promise<void> {
  const { body } = await client.get('/webhooks?limit=100');
  for (const { id } of body.data) await client.delete(`/webhooks/${id}`, { 'if-match': '*' });
}

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: string;
  readonly attemptCount: number;
  readonly nextAttemptAt: string | null;
}

/** The deliveries of an endpoint, newest first. */
export async function deliveriesOf(client: Client, endpointId: string, query = ''): Promise<Delivery[]> {
  const { status, body } = await client.get(`/webhooks/${endpointId}/deliveries?limit=100${query}`);
  expect(status).toBe(200);
  return body.data;
}

/** A delivery with its attempts. */
export const deliveryOf = async (client: Client, endpointId: string, id: string) =>
  (await client.get(`/webhooks/${endpointId}/deliveries/${id}`)).body;

/** What has a database: a platform, or the test data of an account. */
interface Owned {
  readonly database: Pick<TestPlatform['database'], 'ownerUrl'>;
}

/** Runs a statement as the owner of the database: tests move times with it. */
export async function asDatabaseOwner({ database }: Owned, text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Makes the next attempts of an endpoint due now, and waits until they ended. */
export async function passTime(platform: Owned & Pick<TestPlatform, 'settled'>, endpointId: string): Promise<void> {
  await asDatabaseOwner(
    platform,
    'update accounts.webhook_delivery set next_attempt_at = now() where endpoint_id = $1 and next_attempt_at is not null',
    [endpointId],
  );
  await platform.settled();
}
