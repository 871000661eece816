/** API keys: their form, checksum and hash. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { generateApiKey, hashApiKey, parseApiKey, sameHash } from '../../platform/security/api-key.ts';
import { keyScopes, scopes } from '../../schema/scopes.ts';
import { readText } from '../architecture/source.ts';
import { blocks, section } from '../pages.ts';

/** The pattern for secret scanners in the documentation. */
const [documentedPattern = ''] = blocks(readText('docs/keys.md'), 'regexp');
const scannerPattern = new RegExp(documentedPattern.trim());

describe('API keys', () => {
  test('a generated key parses back into its parts and is found by a secret scanner', () => {
    for (let round = 0; round < 200; round += 1) {
      const { key, publicId, secret } = generateApiKey();
      expect(parseApiKey(key)).toEqual({ publicId, secret });
      expect(key).toBe(`${publicId}.${secret}`);
      expect(key).toMatch(/^sp_live_[0-9A-Za-z]{12}\.[0-9A-Za-z]{49}$/);
      expect(scannerPattern.exec(`curl -H "x-api-key: ${key}" https://example.com`)?.[0]).toBe(key);
    }
  });

  test('one changed character anywhere is rejected without I/O', () => {
    const { key } = generateApiKey();
    fc.assert(
      fc.property(
        fc.nat(key.length - 1),
        fc.constantFrom('0', '9', 'A', 'Z', 'a', 'z', '.', '_', '-', ' '),
        (position, letter) => {
          fc.pre(key[position] !== letter);
          expect(parseApiKey(key.slice(0, position) + letter + key.slice(position + 1))).toBeNull();
        },
      ),
    );
  });

  test('text that is not a key gives null instead of an exception', () => {
    fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => expect(parseApiKey(text)).toBeNull()));
    const { key } = generateApiKey();
    for (const text of [
      '',
      `${key}\n`,
      ` ${key}`,
      key.toUpperCase(),
      key.slice(0, -1),
      `${key}0`,
      key.replace('sp_live_', 'sp_test_'),
    ]) {
      expect(parseApiKey(text)).toBeNull();
    }
  });

  test('the checksum is CRC-32 in base62, as documented', () => {
    const start = `sp_live_${'0'.repeat(12)}.${'0'.repeat(43)}`;
    expect(parseApiKey(`${start}3VEbEn`)).not.toBeNull();
  });

  test('the hash depends on every part of the key and on the pepper', () => {
    const pepper = Buffer.alloc(32, 1);
    const { key } = generateApiKey();
    expect(hashApiKey(key, pepper)).toHaveLength(32);
    expect(sameHash(hashApiKey(key, pepper), hashApiKey(key, pepper))).toBe(true);
    expect(sameHash(hashApiKey(key, pepper), hashApiKey(key, Buffer.alloc(32, 2)))).toBe(false);
    expect(
      sameHash(hashApiKey(key, pepper), hashApiKey(`${key.slice(0, 8)}${key[8] === 'x' ? 'y' : 'x'}${key.slice(9)}`, pepper)),
    ).toBe(false);
    expect(sameHash(hashApiKey(key, pepper), Buffer.alloc(0))).toBe(false);
  });

  test('docs/keys.md contains the pattern for secret scanners, an example, and code that verifies it', async () => {
    const text = readText('docs/keys.md');
    const [example = ''] = scannerPattern.exec(text) ?? [];
    const [program = ''] = blocks(text, 'js');
    const { isKey } = (await import(`data:text/javascript,${encodeURIComponent(program)}`)) as {
      isKey: (text: string) => boolean;
    };
    const { key } = generateApiKey();
    const wrong = `${example.slice(0, -1)}${example.endsWith('0') ? '1' : '0'}`;
    for (const each of [example, key, wrong, `${key}0`, 'sp_live_'])
      expect([each, isKey(each)]).toEqual([each, parseApiKey(each) !== null]);
    expect(isKey(example)).toBe(true);
  });

  test('docs/authentication.md lists all scopes and marks those that write', () => {
    const rows = [...section('docs/authentication.md', 'Scopes').matchAll(/^\| `([a-z:]+)` \| (.+) \|(.*)\|$/gm)];
    const listed = rows.map(([, name, allows, marks = '']) => [
      name,
      allows,
      marks.includes('writes'),
      marks.includes('administrators'),
    ]);
    expect(listed).toEqual(
      keyScopes.map((name) => {
        const { allows, write, granted } = scopes[name];
        return [name, allows.charAt(0).toLowerCase() + allows.slice(1), write, granted === 'ADMINISTRATOR'];
      }),
    );
  });
});
