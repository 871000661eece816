/** The key check: its order, error codes and costs. */
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateApiKey } from '../../platform/security/api-key.ts';
import { sql } from '../../platform/database/database.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { createAddressSubjects } from '../../router/admission/quota/subject.ts';
import {
  admitted,
  caller,
  createAdmissionPlatform,
  untilTrue,
  rejected,
  type Router,
  type AdmissionPlatform,
} from './admission-platform.ts';

describe('the key check', () => {
  let platform: AdmissionPlatform;
  let router: Router;
  beforeAll(async () => {
    platform = await createAdmissionPlatform();
    router = await platform.router();
    await platform.freePlan({ burstPerMinute: 6000 });
  });
  afterAll(() => platform.close());

  const codeOf = async (credentials: string | readonly string[], address?: string): Promise<string> =>
    rejected(await router.admission.admit(caller(credentials, address))).problem.code;

  test('a key resolves to its viewer', async () => {
    const { key, publicId } = await platform.issue({ plan: 'pro', scopes: ['athletes:write', 'events:read', 'no-such:scope'] });
    const result = admitted(await router.admission.admit(caller(key)));
    expect(result.viewer).toMatchObject({
      kind: 'KEY',
      keyId: publicId,
      plan: 'pro',
      scopes: ['athletes:write', 'events:read'],
      sport: null,
    });
    expect(result.viewer.accountId).toMatch(/^[0-9a-f-]{36}$/);
    expect(result).toMatchObject({ authenticated: true, writes: 'ALLOWED' });
  });

  test('a request without a key has the anonymous viewer, on the free plan', async () => {
    const result = admitted(await router.admission.admit(caller()));
    expect(result.viewer).toBe(ANONYMOUS);
    expect(result).toMatchObject({ authenticated: false, writes: 'NOT_IN_PLAN' });
  });

  test('two keys are ambiguous, even when both are valid', async () => {
    const [one, other] = await Promise.all([platform.issue(), platform.issue()]);
    expect(await codeOf([one.key, other.key])).toBe('ambiguous_credentials');
  });

  test('a malformed key, an unknown key and a wrong secret get the same response, never anonymous access', async () => {
    const { key, publicId } = await platform.issue();
    const responses = await Promise.all(
      ['', 'nonsense', `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, generateApiKey().key, withSecretOf(publicId)].map(
        (wrong) => router.admission.admit(caller(wrong)),
      ),
    );
    for (const response of responses) {
      const { problem, headers } = rejected(response);
      expect(problem.code).toBe('api_key_invalid');
      expect(problem.message).toBe(rejected(responses[0] ?? response).problem.message);
      expect(headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('only the holder of the secret learns that a key is revoked, disabled or expired; revocation comes first', async () => {
    const revoked = await platform.issue({ status: 'REVOKED', expiresInMs: -1000, allowedCidrs: ['10.0.0.0/8'] });
    const disabled = await platform.issue({ status: 'DISABLED', expiresInMs: -1000, allowedCidrs: ['10.0.0.0/8'] });
    const expired = await platform.issue({ expiresInMs: -1000, allowedCidrs: ['10.0.0.0/8'] });
    expect(await codeOf(revoked.key)).toBe('api_key_revoked');
    expect(await codeOf(disabled.key)).toBe('api_key_disabled');
    expect(await codeOf(expired.key)).toBe('api_key_expired');
    for (const { publicId } of [revoked, disabled, expired]) expect(await codeOf(withSecretOf(publicId))).toBe('api_key_invalid');
  });

  test('a key of a suspended account is disabled', async () => {
    const { key, publicId } = await platform.issue();
    await platform.owner.query(sql`/* test.suspend */ update accounts.account set status = 'SUSPENDED'
      where id = (select account_id from accounts.api_key where public_id = ${publicId})`);
    expect(await codeOf(key)).toBe('api_key_disabled');
  });

  test('a key with an allow-list works from its addresses only', async () => {
    const { key } = await platform.issue({ allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] });
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1::1']) {
      expect((await router.admission.admit(caller(key, address))).kind).toBe('ADMITTED');
    }
    for (const address of ['203.0.114.9', '::ffff:203.0.114.9', '2001:db9::1', 'not an address']) {
      expect(await codeOf(key, address)).toBe('ip_not_allowed');
    }
  });

  test('a revoked key is soon rejected on every router', async () => {
    const other = await platform.router();
    const { key, publicId } = await platform.issue();
    await Promise.all([router, other].map(({ admission }) => admission.admit(caller(key))));
    await platform.owner.query(
      sql`/* test.revoke */ update accounts.api_key set status = 'REVOKED', revoked_at = now() where public_id = ${publicId}`,
    );
    for (const { admission } of [router, other]) {
      await untilTrue(async () => (await admission.admit(caller(key))).kind === 'REJECTED');
    }
  });

  test('a key that the database is too slow to read is rejected as a temporary failure', async () => {
    const { key } = await platform.issue();
    const lock = platform.owner.transaction(async (transaction) => {
      await transaction.query(sql`/* test.lock */ lock table accounts.api_key in access exclusive mode`);
      const { problem, headers } = rejected(await router.admission.admit(caller(key)));
      expect([problem.code, headers['retry-after']]).toEqual(['upstream_timeout', '1']);
    });
    await lock;
    admitted(await router.admission.admit(caller(key)));
  });

  test('a key expires without another lookup', async () => {
    const { key } = await platform.issue({ expiresInMs: 300 });
    expect((await router.admission.admit(caller(key))).kind).toBe('ADMITTED');
    await untilTrue(async () => (await router.admission.admit(caller(key))).kind === 'REJECTED');
    expect(await codeOf(key)).toBe('api_key_expired');
  });

  test('an unknown prefix takes the same path as a wrong secret: one lookup, one hash', async () => {
    const statements: string[] = [];
    const counted = await platform.router((text) => statements.push(text.slice(0, 40)));
    const { publicId } = await platform.issue();
    await counted.admission.admit(caller());
    const paths = [];
    for (const wrong of [withSecretOf(publicId), generateApiKey().key]) {
      statements.length = 0;
      await counted.admission.admit(caller(wrong));
      await counted.admission.admit(caller(wrong));
      paths.push([...statements]);
    }
    expect(paths[0]).toHaveLength(1);
    expect(paths[1]).toEqual(paths[0]);
    expect(paths[0]?.[0]).toMatch(/^\/\* admission.keyByPublicId \*\//);
  });

  test('scopes are checked after the burst and before the quota: api_key_missing, write_not_in_plan, insufficient_scope', async () => {
    const requires = { key: true, scopes: ['athletes:write'] as const };
    const anonymous = rejected(await router.admission.admit(caller(), { requires }));
    expect(anonymous.problem.code).toBe('api_key_missing');
    expect(anonymous.headers['www-authenticate']).toBe('Bearer');

    const reader = await platform.issue({ plan: await platform.plan({ writes: false }), scopes: ['athletes:write'] });
    expect(admitted(await router.admission.admit(caller(reader.key))).viewer.scopes).toEqual([]);
    expect(rejected(await router.admission.admit(caller(reader.key), { requires })).problem.code).toBe('write_not_in_plan');

    const other = await platform.issue({ plan: await platform.plan({ burstPerMinute: 2 }), scopes: ['organizations:write'] });
    expect(rejected(await router.admission.admit(caller(other.key), { requires })).problem.code).toBe('insufficient_scope');
    expect(rejected(await router.admission.admit(caller(other.key), { requires })).problem.code).toBe('insufficient_scope');
    expect(rejected(await router.admission.admit(caller(other.key), { requires })).problem.code).toBe('rate_limited');
    expect(await platform.counter(other.subject)).toMatchObject({ dayUsed: 0, monthUsed: 0 });
  });

  test('guessed keys are limited by the burst of the address, and cost no quota', async () => {
    await platform.freePlan({ burstPerMinute: 5 });
    const guesser = await platform.router();
    const codes = [];
    for (let guess = 0; guess < 8; guess += 1) {
      codes.push(rejected(await guesser.admission.admit(caller(generateApiKey().key, '198.51.100.99'))).problem.code);
    }
    expect(codes.slice(0, 5)).toEqual(Array(5).fill('api_key_invalid'));
    expect(codes.slice(5)).toEqual(Array(3).fill('rate_limited'));
    const { subject } = createAddressSubjects(platform.secrets.derive('address-pepper'), Date.now)('198.51.100.99');
    expect(await platform.counter(subject)).toMatchObject({ dayUsed: 0, monthUsed: 0 });
  });

  test('a network with more than 20 failed keys per minute is rejected without a lookup; a verified key is not', async () => {
    await platform.freePlan({ burstPerMinute: 6000 });
    const statements: string[] = [];
    const guessed = await platform.router((text) => statements.push(text));
    const [used, fresh] = await Promise.all([platform.issue(), platform.issue()]);
    const from = (credential: string, address: string) => guessed.admission.admit(caller(credential, address));
    for (const [network, neighbor] of [
      ['198.51.100.50', '198.51.100.51'],
      ['2001:db8:5:5', '2001:db8:5:6'],
    ] as const) {
      const host = (index: number) => (network.includes(':') ? `${network}::${index}` : network);
      admitted(await from(used.key, host(0)));
      const wrong = ['nonsense', withSecretOf(used.publicId)];
      for (let guess = 0; guess < 20; guess += 1)
        expect(rejected(await from(wrong[guess] ?? generateApiKey().key, host(guess))).problem.code).toBe('api_key_invalid');
      statements.length = 0;
      for (const guess of ['nonsense', withSecretOf(used.publicId), generateApiKey().key, fresh.key]) {
        const { problem, headers } = rejected(await from(guess, host(99)));
        expect(problem.code).toBe('rate_limited');
        expect(Number(headers['retry-after'])).toBeGreaterThan(30);
        expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      }
      expect(statements).toEqual([]);
      admitted(await from(used.key, host(99)));
      expect(rejected(await from(generateApiKey().key, network.includes(':') ? `${neighbor}::1` : neighbor)).problem.code).toBe(
        'api_key_invalid',
      );
    }
    expect((await from(fresh.key, '198.51.100.51')).kind).toBe('ADMITTED');
  });

  test('no key and no address reaches the log', async () => {
    const { key } = await platform.issue();
    await platform.owner.query(sql`/* test.break */ alter function accounts.quota_take_many rename to quota_renamed`);
    // the quota store is down, so that the local budget applies
    admitted(await router.admission.admit(caller(key)));
    await platform.owner.query(sql`/* test.fix */ alter function accounts.quota_renamed rename to quota_take_many`);
    const reported = [...platform.storeLog, ...router.logged];
    expect(reported).toHaveLength(2);
    expect(
      JSON.stringify(reported, (_, value: unknown) =>
        value instanceof Error ? Object.assign({}, value, { text: value.stack }) : value,
      ),
    ).not.toMatch(/sp_live_|203\.0\.113/);
  });
});

/** A key with the given public id, a valid checksum and a wrong secret. */
function withSecretOf(publicId: string): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const start = `${publicId}.${'x'.repeat(43)}`;
  let rest = crc32(start);
  let checksum = '';
  while (checksum.length < 6) {
    checksum = alphabet.charAt(rest % 62) + checksum;
    rest = Math.floor(rest / 62);
  }
  return start + checksum;
}
