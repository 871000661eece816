/** The derived keys of each role. */
import { describe, expect, test } from '@jest/globals';
import { openKeys, openSecrets, formatKeys, generateSecret } from '../../platform/security/secrets.ts';
import { areas } from '../../schema/areas.ts';
import { keyedRoles, purposesOf } from '../../wiring/keys.ts';
import { requireSecrets } from '../../wiring/installation.ts';
import { roles } from '../../wiring/processes.ts';

const root = openSecrets(generateSecret());
const keysOf = (role: string): string => formatKeys(root, purposesOf(role));
const starting = (role: string, purposes: readonly string[]) => requireSecrets(role, { KEYS: formatKeys(root, purposes) });
/** Roles with the key of a purpose. */
const holders = (purpose: string): string[] => keyedRoles.filter((role) => purposesOf(role).includes(purpose));
const everyPurpose = [...new Set(keyedRoles.flatMap(purposesOf))];

describe('the keys of a role', () => {
  test.each(keyedRoles)('%s: are derived from the root secret and derive no other key', (role) => {
    const own = purposesOf(role);
    const keys = openKeys(keysOf(role), own);
    for (const purpose of own) expect(keys.derive(purpose)).toEqual(root.derive(purpose));
    for (const purpose of everyPurpose.filter((each) => !own.includes(each)))
      expect(() => keys.derive(purpose)).toThrow(`KEYS contains no key for ${purpose}.`);
  });

  test('every role except the single process has keys', () => {
    expect(['all', ...keyedRoles].sort()).toEqual(roles.toSorted());
  });

  test('the rest role has no database password', () => expect(purposesOf('rest')).toEqual(['edge/rest-router', 'image']));

  test('an area signs as itself and accepts calls of the router only', () => {
    for (const area of areas) {
      expect(holders(`edge/${area}-router`)).toEqual(['router', area]);
      expect(holders(`edge/router-${area}`)).toEqual(['router', area]);
    }
  });

  test('only the router issues tickets, only the router and accounts have the pepper, only the worker calls as the system', () => {
    expect(holders('ticket')).toEqual(['router']);
    expect(holders('api-key-pepper/1')).toEqual(['router', 'accounts']);
    expect(holders('edge/worker-router')).toEqual(['router', 'worker']);
  });

  test('the sandbox process has no key of the data of the platform, and one key per caller and callee', () => {
    expect(holders('edge/router-sandbox')).toEqual(['router', 'sandbox']);
    expect(holders('edge/accounts-sandbox')).toEqual(['sandbox', 'accounts']);
    expect(holders('edge/sandbox-router')).toEqual(['router', 'sandbox']);
    expect(holders('database/talent_sandbox')).toEqual(['sandbox']);
    const shared = purposesOf('sandbox').filter((purpose) => holders(purpose).length > 1);
    expect(shared.filter((purpose) => !purpose.startsWith('edge/'))).toEqual(['image']);
  });

  test('a database password is available to its area, and to the worker, which runs its consumers', () => {
    for (const area of areas) expect(holders(`database/talent_${area}`)).toEqual(['worker', area]);
    expect(holders('database/talent_router')).toEqual(['router']);
  });
});

describe('a starting process', () => {
  test('reports a missing key with its variable and command, without printing keys', () => {
    const given = purposesOf('scouting').filter((purpose) => purpose !== 'cursor');
    expect(() => starting('scouting', given)).toThrow(
      'KEYS contains no key for cursor. KEYS must be the keys of the role scouting. `npm run secrets` writes them as SCOUTING_KEYS to .env.',
    );
    expect(() => starting('router', purposesOf('rest'))).toThrow('ROUTER_KEYS');
    expect(() => requireSecrets('rest', { KEYS: 'nonsense' })).toThrow('KEYS contains no key for edge/rest-router');
    expect(() => requireSecrets('rest', {})).toThrow('KEYS is required');
  });

  test('rejects keys together with the root secret, which grants more than the role needs', () => {
    expect(() => requireSecrets('rest', { KEYS: keysOf('rest'), SECRET: 'x'.repeat(32) })).toThrow('not both');
  });
});
