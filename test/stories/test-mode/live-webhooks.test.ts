/** A test key gives no live webhooks: neither their number nor the scopes of their deliveries. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createEndpoint } from '../webhooks/fixture.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';
import { issueTestKey } from './test-key.ts';

let platform: TestPlatform;
let receiver: Receiver;
beforeAll(async () => {
  [platform, receiver] = await Promise.all([openTestPlatform(), openReceiver()]);
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

test('live endpoints end with the last live key, also while a test key of the plan is valid', async () => {
  const live = await platform.account({ account: 'Paid' });
  await issueTestKey(platform, 'Paid', 'plenty');
  const { id } = await createEndpoint(live, receiver);
  const { body } = await live.get('/me');
  const { apiKeys } = await platform.administer('query ($id: String) { apiKeys(filter: { publicId: $id }) { nodes { id } } }', {
    id: body.key.publicId,
  });
  // Cast: the document selects it.
  const [key] = (apiKeys as { nodes: { id: string }[] }).nodes;
  await platform.administer('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: key?.id });
  await platform.settled();
  await platform.maintain();
  const { webhookEndpoint } = await platform.administer(
    'query ($id: ID!) { webhookEndpoint(id: $id) { status disabledReason } }',
    {
      id,
    },
  );
  expect(webhookEndpoint).toEqual({ status: 'DISABLED', disabledReason: 'PLAN' });
});
