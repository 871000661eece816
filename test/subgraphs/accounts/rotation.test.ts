/** How keys come and go: every step from every state, rotation, and the standing of their account. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANONYMOUS, type Viewer } from '../../../schema/viewer.ts';
import { stepsOf } from './steps.ts';
import { createWorld, type Issued, type World } from './world.ts';

let platform: World;
let steps: ReturnType<typeof stepsOf>;
beforeAll(async () => {
  platform = await createWorld();
  steps = stepsOf(platform);
});
afterAll(() => platform.close());

const verbs = ['disable', 'enable', 'revoke'] as const;

describe('the state machine of a key', () => {
  const allowed: Record<string, Record<string, string>> = {
    ACTIVE: { disable: 'DISABLED', revoke: 'REVOKED' },
    DISABLED: { enable: 'ACTIVE', revoke: 'REVOKED' },
    REVOKED: {},
  };
  const from: Record<string, readonly string[]> = { ACTIVE: [], DISABLED: ['disable'], REVOKED: ['revoke'] };
  const said: Record<string, string> = { ACTIVE: 'admitted', DISABLED: 'api_key_disabled', REVOKED: 'api_key_revoked' };
  const into = async (state: string): Promise<Issued> => {
    const issued = await platform.issue({});
    for (const verb of from[state] ?? []) await steps.take(verb, issued.apiKey.id);
    return issued;
  };

  test.each(Object.keys(allowed).flatMap((state) => verbs.map((verb) => [state, verb] as const)))(
    'a key that is %s and is to %s',
    async (state, verb) => {
      const { key, apiKey } = await into(state);
      const { codes } = await steps.take(verb, apiKey.id);
      const expected = allowed[state]?.[verb];
      expect(codes).toEqual(expected === undefined ? ['invalid_transition'] : []);
      expect((await steps.shown(apiKey.id)).status).toBe(expected ?? state);
      expect(await platform.codeOf(key)).toBe(said[expected ?? state]);
    },
  );

  test.each(['DISABLED', 'REVOKED'])('a key that is %s has no successor', async (state) => {
    const { apiKey } = await into(state);
    expect((await steps.rotate(apiKey.id)).codes).toEqual(['invalid_transition']);
    expect((await steps.shown(apiKey.id)).rotatedTo).toBeNull();
  });
});

describe('rotation', () => {
  test('the successor has the same rights and counts with the old key, which is accepted until its grace ends', async () => {
    const old = await platform.issue({ plan: 'starter', scopes: ['events:read'], allowedCidrs: ['203.0.113.0/24'] });
    const { data, codes } = await steps.rotate(old.apiKey.id, 3600);
    expect(codes).toEqual([]);
    const { key, apiKey } = data.rotateApiKey;
    expect(apiKey).toMatchObject({
      scopes: ['events:read'],
      allowedCidrs: ['203.0.113.0/24'],
      expiresAt: null,
      plan: { code: 'starter' },
      rotatedFrom: { id: old.apiKey.id, rotatedTo: { id: apiKey.id } },
    });
    expect(key).not.toContain(old.apiKey.publicId);
    expect((await platform.admitted(old.key)).headers.ratelimit).toContain('"day";r=9999');
    expect((await platform.admitted(key)).headers.ratelimit).toContain('"day";r=9998');
    expect((await platform.admitted(old.key)).headers.ratelimit).toContain('"day";r=9997');
    const { expiresAt, status } = await steps.shown(old.apiKey.id);
    expect(status).toBe('ACTIVE');
    expect(Math.abs(Date.parse(String(expiresAt)) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    await steps.pass('expires_at', old.apiKey.id);
    const other = platform.router();
    expect(await other.codeOf(old.key)).toBe('api_key_expired');
    expect(await other.codeOf(key)).toBe('admitted');
    expect(await steps.eventsOf(old.apiKey.id)).toEqual(['api_key.issued', 'api_key.rotated']);
    expect(await steps.eventsOf(apiKey.id)).toEqual(['api_key.issued']);
    expect(await steps.heldOf(apiKey.id)).toEqual([{ code: 'starter', open: true, joined: true }]);
  });

  test('without grace the old key is revoked at once', async () => {
    const old = await platform.issue({});
    const { data } = await steps.rotate(old.apiKey.id, 0);
    expect(await platform.codeOf(old.key)).toBe('api_key_revoked');
    expect(await platform.codeOf(data.rotateApiKey.key)).toBe('admitted');
    expect(await steps.shown(old.apiKey.id)).toMatchObject({ status: 'REVOKED', revokedWhy: 'rotated' });
    expect(await steps.eventsOf(old.apiKey.id)).toEqual(['api_key.issued', 'api_key.rotated', 'api_key.revoked']);
  });

  test('grace prolongs no key: an earlier expiry stays, and a later one cannot be set', async () => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const old = await platform.issue({ expiresAt });
    const { data } = await steps.rotate(old.apiKey.id);
    expect((await steps.shown(old.apiKey.id)).expiresAt).toBe(expiresAt);
    expect(data.rotateApiKey.apiKey.expiresAt).toBe(expiresAt);
    for (const later of [null, '2099-01-01T00:00:00Z']) {
      const update = `mutation ($id: ID!, $at: DateTime) { updateApiKey(id: $id, input: { expiresAt: $at }, ifMatch: "*") { id } }`;
      const { violations } = await platform.ask(update, { id: old.apiKey.id, at: later });
      expect(violations).toMatchObject([{ pointer: '/expiresAt', code: 'after_grace' }]);
    }
  });

  test('of ten rotations at once one makes a successor, and an expired key has none', async () => {
    const { apiKey } = await platform.issue({});
    const answers = await Promise.all(Array.from({ length: 10 }, () => steps.rotate(apiKey.id)));
    expect(answers.filter(({ codes }) => codes.length === 0)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ codes }) => codes))).toEqual(new Set(['conflict']));
    const expired = await platform.issue({});
    await steps.pass('expires_at', expired.apiKey.id);
    expect((await steps.rotate(expired.apiKey.id)).codes).toEqual(['conflict']);
  });
});

describe('an account', () => {
  test('that is suspended has its keys refused until it is reinstated, one that is closed for good', async () => {
    const [good, disabled] = await Promise.all([
      platform.issue({ accountName: 'Standing' }),
      platform.issue({ accountName: 'Standing' }),
    ]);
    await steps.take('disable', disabled.apiKey.id);
    const { id } = (await steps.shown(good.apiKey.id)).account;
    const codes = async () => {
      const router = platform.router();
      return [await router.codeOf(good.key), await router.codeOf(disabled.key)];
    };
    expect((await steps.turn('reinstate', id)).codes).toEqual(['invalid_transition']);
    expect((await steps.turn('suspend', id)).data.suspendAccount).toMatchObject({ status: 'SUSPENDED' });
    expect(await codes()).toEqual(['api_key_disabled', 'api_key_disabled']);
    await expect(platform.issue({ accountName: 'Standing' })).rejects.toThrow('conflict');
    expect((await steps.rotate(good.apiKey.id)).codes).toEqual(['conflict']);
    expect((await steps.turn('suspend', id)).codes).toEqual(['invalid_transition']);
    await steps.turn('reinstate', id);
    expect(await codes()).toEqual(['admitted', 'api_key_disabled']);
    expect((await steps.turn('close', id)).data.closeAccount).toMatchObject({ status: 'CLOSED' });
    expect(await codes()).toEqual(['api_key_revoked', 'api_key_revoked']);
    expect(await steps.heldOf(good.apiKey.id)).toEqual([{ code: 'pro', open: false, joined: true }]);
    for (const verb of ['suspend', 'reinstate', 'close'])
      expect((await steps.turn(verb, id)).codes).toEqual(['invalid_transition']);
    await expect(platform.issue({ accountName: 'Standing' })).rejects.toThrow('conflict');
    expect((await steps.move(good.apiKey.id, 'enterprise')).codes).toEqual(['conflict']);
    expect(await steps.eventsOf(id)).toEqual(['account.created', ...Array.from({ length: 3 }, () => 'account.status_changed')]);
  });

  test('is changed by a merge patch', async () => {
    const { apiKey } = await platform.issue({ accountName: 'Renamed' });
    const { id } = (await steps.shown(apiKey.id)).account;
    const update = (input: object, ifMatch: string) =>
      platform.ask(
        `mutation ($id: ID!, $input: UpdateAccountInput!, $ifMatch: String!) {
          updateAccount(id: $id, input: $input, ifMatch: $ifMatch) { name email version } }`,
        { id, input, ifMatch },
      );
    expect((await update({ email: 'it@example.org' }, '1')).data.updateAccount).toEqual({
      name: 'Renamed',
      email: 'it@example.org',
      version: 2,
    });
    expect((await update({ name: 'X' }, '1')).codes).toEqual(['precondition_failed']);
    expect((await update({ name: null }, '*')).codes).toEqual(['validation_failed']);
  });
});

test('nobody else reaches any of it', async () => {
  const { apiKey } = await platform.issue({});
  const { id } = apiKey;
  const holder: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId: (await steps.shown(id)).account.id, keyId: apiKey.publicId };
  for (const document of [
    `mutation { rotateApiKey(id: "${id}") { key } }`,
    `mutation { moveApiKey(id: "${id}", plan: "enterprise") { id } }`,
    `mutation { moveAccount(id: "${id}", plan: "enterprise") { id } }`,
    `mutation { updateAccount(id: "${id}", input: {}, ifMatch: "*") { id } }`,
    ...['suspend', 'reinstate', 'close'].map((verb) => `mutation { ${verb}Account(id: "${id}") { id } }`),
    `mutation { setContract(accountId: "${id}", plan: "pro", input: { perDay: 1000000 }) { id } }`,
    `mutation { endContract(id: "${id}") { id } }`,
    '{ me { account { keys { nodes { id } } } } }',
    '{ me { account { contracts { id } } } }',
  ])
    expect([document, (await platform.ask(document, {}, holder)).codes]).toEqual([document, ['insufficient_scope']]);
});
