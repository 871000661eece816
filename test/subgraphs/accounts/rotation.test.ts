/** The life cycle of keys: all transitions, rotation, and the effects of the account's status. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ANONYMOUS, type Viewer } from '../../../schema/viewer.ts';
import { createKeyActions } from './key-actions.ts';
import { openTestArea, type Issued, type TestArea } from './test-area.ts';

let area: TestArea;
let actions: ReturnType<typeof createKeyActions>;
beforeAll(async () => {
  area = await openTestArea();
  actions = createKeyActions(area);
});
afterAll(() => area.close());

const verbs = ['disable', 'enable', 'revoke'] as const;

describe('the state machine of a key', () => {
  const allowed: Record<string, Record<string, string>> = {
    ACTIVE: { disable: 'DISABLED', revoke: 'REVOKED' },
    DISABLED: { enable: 'ACTIVE', revoke: 'REVOKED' },
    REVOKED: {},
  };
  const from: Record<string, readonly string[]> = { ACTIVE: [], DISABLED: ['disable'], REVOKED: ['revoke'] };
  const admissionOf: Record<string, string> = { ACTIVE: 'admitted', DISABLED: 'api_key_disabled', REVOKED: 'api_key_revoked' };
  const into = async (state: string): Promise<Issued> => {
    const issued = await area.issue({});
    for (const verb of from[state] ?? []) await actions.transition(verb, issued.apiKey.id);
    return issued;
  };

  test.each(Object.keys(allowed).flatMap((state) => verbs.map((verb) => [state, verb] as const)))(
    'a key in state %s with the transition %s',
    async (state, verb) => {
      const { key, apiKey } = await into(state);
      const { codes } = await actions.transition(verb, apiKey.id);
      const expected = allowed[state]?.[verb];
      expect(codes).toEqual(expected === undefined ? ['invalid_transition'] : []);
      expect((await actions.read(apiKey.id)).status).toBe(expected ?? state);
      expect(await area.codeOf(key)).toBe(admissionOf[expected ?? state]);
    },
  );

  test.each(['DISABLED', 'REVOKED'])('a %s key cannot be rotated', async (state) => {
    const { apiKey } = await into(state);
    expect((await actions.rotate(apiKey.id)).codes).toEqual(['invalid_transition']);
    expect((await actions.read(apiKey.id)).rotatedTo).toBeNull();
  });
});

describe('rotation', () => {
  test('the successor has the same rights and quota, and the old key is accepted until the grace period ends', async () => {
    const old = await area.issue({ plan: 'starter', scopes: ['events:read'], allowedCidrs: ['203.0.113.0/24'] });
    const { data, codes } = await actions.rotate(old.apiKey.id, 3600);
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
    expect((await area.admitted(old.key)).headers.ratelimit).toContain('"day";r=9999');
    expect((await area.admitted(key)).headers.ratelimit).toContain('"day";r=9998');
    expect((await area.admitted(old.key)).headers.ratelimit).toContain('"day";r=9997');
    const { expiresAt, status } = await actions.read(old.apiKey.id);
    expect(status).toBe('ACTIVE');
    expect(Math.abs(Date.parse(String(expiresAt)) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    await actions.makeDue('expires_at', old.apiKey.id);
    const other = area.router();
    expect(await other.codeOf(old.key)).toBe('api_key_expired');
    expect(await other.codeOf(key)).toBe('admitted');
    expect(await actions.eventsOf(old.apiKey.id)).toEqual(['api_key.issued', 'api_key.rotated']);
    expect(await actions.eventsOf(apiKey.id)).toEqual(['api_key.issued']);
    expect(await actions.planHistoryOf(apiKey.id)).toEqual([{ code: 'starter', open: true, joined: true }]);
  });

  test('without a grace period the old key is revoked immediately', async () => {
    const old = await area.issue({});
    const { data } = await actions.rotate(old.apiKey.id, 0);
    expect(await area.codeOf(old.key)).toBe('api_key_revoked');
    expect(await area.codeOf(data.rotateApiKey.key)).toBe('admitted');
    expect(await actions.read(old.apiKey.id)).toMatchObject({ status: 'REVOKED', revokedWhy: 'rotated' });
    expect(await actions.eventsOf(old.apiKey.id)).toEqual(['api_key.issued', 'api_key.rotated', 'api_key.revoked']);
  });

  test('the grace period does not extend a key: an earlier expiry stays, and a later one is rejected', async () => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const old = await area.issue({ expiresAt });
    const { data } = await actions.rotate(old.apiKey.id);
    expect((await actions.read(old.apiKey.id)).expiresAt).toBe(expiresAt);
    expect(data.rotateApiKey.apiKey.expiresAt).toBe(expiresAt);
    for (const later of [null, '2099-01-01T00:00:00Z']) {
      const update = `mutation ($id: ID!, $at: DateTime) { updateApiKey(id: $id, input: { expiresAt: $at }, ifMatch: "*") { id } }`;
      const { violations } = await area.run(update, { id: old.apiKey.id, at: later });
      expect(violations).toMatchObject([{ pointer: '/expiresAt', code: 'after_grace' }]);
    }
  });

  test('only one of ten concurrent rotations succeeds, and an expired key cannot be rotated', async () => {
    const { apiKey } = await area.issue({});
    const responses = await Promise.all(Array.from({ length: 10 }, () => actions.rotate(apiKey.id)));
    expect(responses.filter(({ codes }) => codes.length === 0)).toHaveLength(1);
    expect(new Set(responses.flatMap(({ codes }) => codes))).toEqual(new Set(['conflict']));
    const expired = await area.issue({});
    await actions.makeDue('expires_at', expired.apiKey.id);
    expect((await actions.rotate(expired.apiKey.id)).codes).toEqual(['conflict']);
  });
});

describe('an account', () => {
  test('that is suspended has its keys rejected until it is reinstated; a closed account permanently', async () => {
    const [good, disabled] = await Promise.all([area.issue({ accountName: 'Status' }), area.issue({ accountName: 'Status' })]);
    await actions.transition('disable', disabled.apiKey.id);
    const { id } = (await actions.read(good.apiKey.id)).account;
    const codes = async () => {
      const router = area.router();
      return [await router.codeOf(good.key), await router.codeOf(disabled.key)];
    };
    expect((await actions.transitionAccount('reinstate', id)).codes).toEqual(['invalid_transition']);
    expect((await actions.transitionAccount('suspend', id)).data.suspendAccount).toMatchObject({ status: 'SUSPENDED' });
    expect(await codes()).toEqual(['api_key_disabled', 'api_key_disabled']);
    await expect(area.issue({ accountName: 'Status' })).rejects.toThrow('conflict');
    expect((await actions.rotate(good.apiKey.id)).codes).toEqual(['conflict']);
    expect((await actions.transitionAccount('suspend', id)).codes).toEqual(['invalid_transition']);
    await actions.transitionAccount('reinstate', id);
    expect(await codes()).toEqual(['admitted', 'api_key_disabled']);
    expect((await actions.transitionAccount('close', id)).data.closeAccount).toMatchObject({ status: 'CLOSED' });
    expect(await codes()).toEqual(['api_key_revoked', 'api_key_revoked']);
    expect(await actions.planHistoryOf(good.apiKey.id)).toEqual([{ code: 'pro', open: false, joined: true }]);
    for (const verb of ['suspend', 'reinstate', 'close'])
      expect((await actions.transitionAccount(verb, id)).codes).toEqual(['invalid_transition']);
    await expect(area.issue({ accountName: 'Status' })).rejects.toThrow('conflict');
    expect((await actions.move(good.apiKey.id, 'enterprise')).codes).toEqual(['conflict']);
    expect(await actions.eventsOf(id)).toEqual(['account.created', ...Array.from({ length: 3 }, () => 'account.status_changed')]);
  });

  test('is updated with a merge patch', async () => {
    const { apiKey } = await area.issue({ accountName: 'Renamed' });
    const { id } = (await actions.read(apiKey.id)).account;
    const update = (input: object, ifMatch: string) =>
      area.run(
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

test('key owners cannot call any of these mutations', async () => {
  const { apiKey } = await area.issue({});
  const { id } = apiKey;
  const holder: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId: (await actions.read(id)).account.id, keyId: apiKey.publicId };
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
    expect([document, (await area.run(document, {}, holder)).codes]).toEqual([document, ['insufficient_scope']]);
});
