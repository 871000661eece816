/** A rotation of SECRET, from `npm run secrets -- rotate` to `finish`, on an installation with its own database. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { eventually } from '../eventually.ts';
import { createInstallation, type Installation } from '../installation.ts';
import { createAthlete } from '../stories/athletes/people.ts';
import { createEndpoint } from '../stories/webhooks/fixture.ts';
import { openReceiver, verify, type Receiver } from '../stories/webhooks/receiver.ts';

jest.setTimeout(400_000);

let installation: Installation;
let receiver: Receiver;

const issueKey = async (account: string): Promise<Client> =>
  installation.client(await installation.issueKey(account, 'athletes:write,organizations:write,webhooks:write'));

const changeSecret = (step: string): Promise<string> =>
  installation.run('secrets', step, '--file', join(installation.dataDirectory, 'secrets.json'));

/** What the doctor reports about SECRET. */
async function secretFinding(): Promise<string> {
  const { findings } = JSON.parse(await installation.run('doctor', '--json'));
  return findings.find(({ check }: { check: string }) => check === 'SECRET').detail;
}

/** The number of digests of a log that was not altered. */
async function auditedDigests(log: string): Promise<number> {
  const table = await installation.run('audit', 'verify');
  return Number(new RegExp(`^${log.replace('.', '\\.')} +ok +(\\d+)`, 'm').exec(table)?.[1]);
}

beforeAll(async () => {
  receiver = await openReceiver();
  installation = await createInstallation({ WEBHOOKS_ALLOW_LOCAL: 'true' });
  await installation.start();
});
afterAll(async () => {
  await installation.remove();
  await receiver.close();
});

test('keys, cursors and webhooks work with both secrets during a rotation; afterwards only what was moved works', async () => {
  const used = await issueKey('Used');
  const unused = await issueKey('Unused');
  const create = async (name: string): Promise<void> => {
    const club = { type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
    expect((await used.post('/organizations', club)).status).toBe(201);
  };
  for (const name of ['One', 'Two']) await create(name);
  // its log gets no entry later
  await createAthlete(used);
  const { secret } = await createEndpoint(used, receiver, { types: ['organization.created'] });
  const { body } = await used.get('/organizations?limit=1');
  const page = `/organizations?limit=1&cursor=${encodeURIComponent(body.page.nextCursor)}`;
  expect(await secretFinding()).toBe('version 1');

  // the relay signs digests when it starts
  await installation.stop();
  await installation.start();
  await eventually(async () => expect(await auditedDigests('athletes.history')).toBe(1));
  await installation.stop();
  await changeSecret('rotate');
  await expect(changeSecret('rotate')).rejects.toThrow('The last rotation is not finished');
  await installation.start();
  expect(await secretFinding()).toMatch(
    /^version 2; 2 API keys, 0 webhook secrets, 0 second factors and \d+ audit logs use an earlier version$/,
  );
  expect((await used.get(page)).body.data).toHaveLength(1);
  await create('Three');
  await receiver.received(1);
  for (const request of receiver.requests) verify(secret, request);
  // the hash of a key follows its use
  await eventually(async () => expect(await secretFinding()).toContain('1 API keys'));
  // the relay signs the logs without new entries again
  await eventually(async () => expect(await secretFinding()).toContain(' 0 audit logs'));

  await installation.stop();
  await changeSecret('finish');
  await expect(changeSecret('finish')).rejects.toThrow('no rotation is in progress');
  await installation.start();
  expect(await auditedDigests('athletes.history')).toBe(2);
  await create('Four');
  expect((await used.get(page)).body.code).toBe('cursor_invalid');
  expect((await unused.get('/organizations')).body.code).toBe('api_key_invalid');
  await receiver.received(2);
  for (const request of receiver.requests) verify(secret, request);
});
