/** A replay examines a limited number of events, also of those that its account cannot read. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { asDatabaseOwner, createEndpoint } from './fixture.ts';
import { openReceiver, type Receiver } from './receiver.ts';

let platform: TestPlatform;
let receiver: Receiver;
beforeAll(async () => {
  [platform, receiver] = await Promise.all([openTestPlatform({ isolated: true }), openReceiver()]);
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

test('a period with many events that the account cannot read is rejected, and inserts no deliveries', async () => {
  const client = await platform.account({ account: 'Replays' });
  const { id } = await createEndpoint(client, receiver, { types: ['athlete.updated', 'webhook.test'] });
  await platform.settled();
  const start = new Date(Date.now() - 86_400_000);
  await asDatabaseOwner(
    platform,
    `insert into accounts.event (sequence, id, type, area, resource_type, resource_id, version, at, account_id, audience, subject_id, sports, was_public)
     select -n, gen_random_uuid(), 'athlete.updated', 'athletes', 'athlete', gen_random_uuid(), 2, $1, gen_random_uuid(), '{}', gen_random_uuid(), '{}', false
     from generate_series(1, 50001) n`,
    [start],
  );
  const replay = (body: object) => client.post(`/webhooks/${id}/replay`, body);
  const since = new Date(start.getTime() - 1_000).toISOString();
  const rejected = await replay({ since });
  expect(rejected).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(rejected.body.detail).toBe(
    'The platform has more than 50,000 events of this period and these types. Choose a shorter period or fewer types.',
  );
  expect(await asDatabaseOwner(platform, 'select 1 from accounts.webhook_delivery where is_replay')).toEqual([]);
  expect((await replay({ since: new Date(start.getTime() + 1_000).toISOString() })).status).toBe(200);
});
