/** Workers that are killed lose no delivery, and another one takes over. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';
import { createEndpoint, deliveriesOf } from './fixture.ts';
import { openReceiver, verify, type Receiver } from './receiver.ts';

let platform: TestPlatform;
let owner: Client;
let receiver: Receiver;
beforeAll(async () => {
  platform = await openTestPlatform({ isolated: true, wiring: 'separate processes' });
  owner = await platform.account({ account: 'Owner' });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

test('a worker that is killed between sending and storing repeats deliveries and loses none', async () => {
  const { processes } = platform;
  if (processes === null) throw new Error('Separate processes are required.');
  const { id, secret } = await createEndpoint(owner, receiver, { types: ['organization.created', 'organization.updated'] });
  // ten attempts are in progress when the worker is killed
  receiver.respond((_, response) => void setTimeout(() => response.writeHead(204).end(), 300));
  const clubs = await Promise.all(Array.from({ length: 30 }, (_, index) => createClub(owner, { name: `Club ${index}` })));
  await receiver.received(12);
  await processes.stop('worker', 'SIGKILL');
  await processes.start('worker');
  await eventually(async () => {
    const deliveries = await deliveriesOf(owner, id);
    expect(deliveries.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(clubs.length);
  });
  for (const request of receiver.requests) verify(secret, request);
  const arrived = receiver.events().map(({ resource }) => resource.id);
  expect(new Set(arrived)).toEqual(new Set(clubs.map((club) => club.id)));
  expect(arrived.length).toBeGreaterThan(clubs.length);
  expect(arrived.length).toBeLessThanOrEqual(clubs.length + 10);
});

test('a worker that stops regularly finishes its attempts, so that none is repeated', async () => {
  const { processes } = platform;
  receiver.requests.length = 0;
  const clubs = await Promise.all(Array.from({ length: 20 }, (_, index) => createClub(owner, { name: `More ${index}` })));
  await receiver.received(5);
  await processes?.stop('worker');
  await processes?.start('worker');
  await eventually(() => {
    expect(receiver.requests).toHaveLength(clubs.length);
    return Promise.resolve();
  });
  const arrived = receiver.events().map(({ resource }) => resource.id);
  expect(arrived.toSorted()).toEqual(clubs.map((club) => club.id).toSorted());
});
