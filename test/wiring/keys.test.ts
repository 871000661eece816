/** What the keys of a role do, and what they cannot. */
import { describe, expect, test } from '@jest/globals';
import { openKeys, openSecrets, formatKeys, generateSecret } from '../../platform/security/secrets.ts';
import { areas } from '../../schema/areas.ts';
import { keyedRoles, consumingAreas, purposesOf } from '../../wiring/keys.ts';
import { requireSecrets } from '../../wiring/installation.ts';
import { roles } from '../../wiring/processes.ts';

const root = openSecrets(generateSecret());
const keysOf = (role: string): string => formatKeys(root, purposesOf(role));
const starting = (role: string, purposes: readonly string[]) => requireSecrets(role, { KEYS: formatKeys(root, purposes) });
/** Roles that hold the key of a purpose. */
const holders = (purpose: string): string[] => keyedRoles.filter((role) => purposesOf(role).includes(purpose));
const everyPurpose = [...new Set(keyedRoles.flatMap(purposesOf))];

describe('the keys of a role', () => {
  test.each(keyedRoles)('%s: those of the root secret, and no other can be made of them', (role) => {
    const own = purposesOf(role);
    const keys = openKeys(keysOf(role), own);
    for (const purpose of own) expect(keys.derive(purpose)).toEqual(root.derive(purpose));
    for (const purpose of everyPurpose.filter((each) => !own.includes(each)))
      expect(() => keys.derive(purpose)).toThrow(`KEYS contains no key for ${purpose}.`);
  });

  test('every role but the one process has them', () => {
    expect(['all', ...keyedRoles].sort()).toEqual(Object.keys(roles).sort());
  });

  test('rest can log in nowhere', () => expect(purposesOf('rest')).toEqual(['edge/rest-router']));

  test('an area signs as itself, and is called by the router alone', () => {
    for (const area of areas) {
      expect(holders(`edge/${area}-router`)).toEqual(['router', area]);
      expect(holders(`edge/router-${area}`)).toEqual(['router', area]);
    }
  });

  test('only the router makes tickets, only it and accounts know the pepper, only the worker asks as the system', () => {
    expect(holders('ticket')).toEqual(['router']);
    expect(holders('api-key-pepper/1')).toEqual(['router', 'accounts']);
    expect(holders('edge/worker-router')).toEqual(['router', 'worker']);
  });

  test('a password is known to its role, and of areas with projections to the worker', () => {
    for (const area of areas)
      expect(holders(`database/talent_${area}`)).toEqual(consumingAreas.includes(area) ? ['worker', area] : [area]);
    expect(holders('database/talent_router')).toEqual(['router']);
  });
});

describe('a process that starts', () => {
  test('without a key it needs says which, the variable and the command, and no key', () => {
    const given = purposesOf('scouting').filter((purpose) => purpose !== 'cursor');
    expect(() => starting('scouting', given)).toThrow(
      'KEYS contains no key for cursor. KEYS must be the keys of the role scouting. `npm run secrets` writes them as SCOUTING_KEYS to .env.',
    );
    expect(() => starting('router', purposesOf('rest'))).toThrow('ROUTER_KEYS');
    expect(() => requireSecrets('rest', { KEYS: 'nonsense' })).toThrow('KEYS contains no key for edge/rest-router');
    expect(() => requireSecrets('rest', {})).toThrow('KEYS is required');
  });

  test('with keys and the root secret is refused: it would hold more than it needs', () => {
    expect(() => requireSecrets('rest', { KEYS: keysOf('rest'), SECRET: 'x'.repeat(32) })).toThrow('not both');
  });
});
