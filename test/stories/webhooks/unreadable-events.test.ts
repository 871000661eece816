/** An event or a secret that the platform cannot read for a delivery: it fails like any other attempt, and other events arrive. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';
import { asDatabaseOwner, createEndpoint, deliveriesOf, deliveryOf, passTime } from './fixture.ts';
import { openReceiver, type Receiver } from './receiver.ts';

let platform: TestPlatform;
let owner: Client;
let receiver: Receiver;
beforeAll(async () => {
  platform = await openTestPlatform({ isolated: true });
  owner = await platform.account({ account: 'Owner' });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

/** Gives an organization a type that the schema does not have: every read of it is an internal error. */
const setType = (id: string, type: string) =>
  asDatabaseOwner(platform, 'update organizations.organization set type = $2 where id = $1', [id, type]);

test('an event that cannot be read is a failed attempt with the normal retries, and other events arrive', async () => {
  await asDatabaseOwner(platform, 'alter table organizations.organization drop constraint organization_type_check');
  const { id } = await createEndpoint(owner, receiver, { types: ['organization.created'] });
  await owner.post(`/webhooks/${id}/disable`);
  const [first, broken, last] = [await createClub(owner), await createClub(owner), await createClub(owner)];
  await setType(broken.id, 'BROKEN');
  // the deliveries of one batch
  await owner.post(`/webhooks/${id}/enable`);
  await owner.post(`/webhooks/${id}/replay`, { since: new Date(Date.now() - 600_000).toISOString() });
  await eventually(async () => expect(await deliveriesOf(owner, id, '&status=SUCCEEDED')).toHaveLength(2));
  expect(new Set(receiver.events().map(({ resource }) => resource.id))).toEqual(new Set([first.id, last.id]));

  await eventually(async () => expect(await deliveriesOf(owner, id, '&status=PENDING')).toHaveLength(1));
  const [failed] = await deliveriesOf(owner, id, '&status=PENDING');
  const read = () => deliveryOf(owner, id, failed?.id ?? '');
  expect(await read()).toMatchObject({
    resourceId: broken.id,
    attemptCount: expect.any(Number),
    nextAttemptAt: expect.any(String),
    attempts: expect.arrayContaining([
      expect.objectContaining({
        number: 1,
        status: null,
        error: 'EVENT_UNREADABLE',
        detail: 'The platform could not read the event. No request was sent.',
        request: null,
        response: null,
      }),
    ]),
  });

  await setType(broken.id, 'CLUB');
  await passTime(platform, id);
  expect(await read()).toMatchObject({ status: 'SUCCEEDED' });
  expect(receiver.events().at(-1)).toMatchObject({ resource: { id: broken.id } });
});

test('an event of an endpoint whose secret cannot be decrypted is a failed attempt, and arrives after the secret is rotated', async () => {
  const { id } = await createEndpoint(owner, receiver, { types: ['organization.created'] });
  await asDatabaseOwner(platform, `update accounts.webhook_secret set encrypted = '\\x00' where endpoint_id = $1`, [id]);
  const club = await createClub(owner);
  await eventually(async () => expect(await deliveriesOf(owner, id, '&status=PENDING')).toMatchObject([{ attemptCount: 1 }]));
  const [delivery] = await deliveriesOf(owner, id);
  const read = () => deliveryOf(owner, id, delivery?.id ?? '');
  expect((await read()).attempts).toMatchObject([
    {
      status: null,
      error: 'SECRET_UNREADABLE',
      detail: 'The platform could not decrypt the secret. No request was sent. Rotate the secret.',
      request: null,
      response: null,
    },
  ]);

  // the previous secret stays unreadable for 24 hours
  const { status } = await owner.post(`/webhooks/${id}/rotate-secret`);
  expect(status).toBe(200);
  await passTime(platform, id);
  await eventually(async () => expect(await read()).toMatchObject({ status: 'SUCCEEDED' }));
  expect(receiver.events().at(-1)).toMatchObject({ resource: { id: club.id } });
});
