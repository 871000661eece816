/** The root secret and derived keys. */
import { describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  finishRotation,
  formatKeys,
  generateSecret,
  openKeys,
  openSecrets,
  readSecretsFile,
  rotateSecret,
  secretOfVersion,
  validKeys,
} from '../../platform/security/secrets.ts';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a rotation', () => {
  const first = generateSecret();
  const rotating = rotateSecret(first);
  const finished = finishRotation(rotating);

  test('keeps the previous secret until it is finished', () => {
    const secrets = openSecrets(rotating);
    expect([secrets.version, secrets.previous?.version, openSecrets(finished).version]).toEqual([2, 1, 2]);
    const [current, previous] = validKeys(secrets, 'cursor');
    expect(previous).toEqual(openSecrets(first).derive('cursor'));
    expect(current).toEqual(openSecrets(finished).derive('cursor'));
    expect(current).not.toEqual(previous);
    expect(validKeys(openSecrets(finished), 'cursor')).toEqual([current]);
  });

  test('is finished before the next one, which counts on', () => {
    expect(() => rotateSecret(rotating)).toThrow('The last rotation is not finished.');
    expect(() => finishRotation(finished)).toThrow('no rotation is in progress');
    expect(openSecrets(rotateSecret(finished)).version).toBe(3);
  });

  test('finds the secret of a stored version', () => {
    expect(secretOfVersion(openSecrets(rotating), 1).derive('cursor')).toEqual(openSecrets(first).derive('cursor'));
    expect(() => secretOfVersion(openSecrets(finished), 1)).toThrow('SECRET has no version 1');
  });

  test('keys of a role contain both versions', () => {
    const purposes = ['cursor', 'edge/rest-router'];
    const keys = openKeys(formatKeys(openSecrets(rotating), purposes), purposes);
    expect(keys.version).toBe(2);
    for (const purpose of purposes) expect(validKeys(keys, purpose)).toEqual(validKeys(openSecrets(rotating), purpose));
    const missing = formatKeys(openSecrets(rotating), purposes).replace(/v2:cursor=[^,]+,/, '');
    expect(() => openKeys(missing, purposes)).toThrow('KEYS contains no key for cursor.');
  });

  test('a secret with commas, made by an operator, is one secret', () => {
    const own = 'one part, another part, and a third part';
    expect(openSecrets(own).previous).toBeNull();
    expect(openSecrets(rotateSecret(own)).previous?.derive('cursor')).toEqual(openSecrets(own).derive('cursor'));
  });
});

describe('secrets', () => {
  test('a purpose gives one key of 32 bytes; another purpose or root gives another key', () => {
    const root = generateSecret();
    const secrets = openSecrets(root);
    expect(secrets.derive('cursor')).toHaveLength(32);
    expect(openSecrets(root).derive('cursor')).toEqual(secrets.derive('cursor'));
    expect(secrets.derive('address-pepper')).not.toEqual(secrets.derive('cursor'));
    expect(openSecrets(generateSecret()).derive('cursor')).not.toEqual(secrets.derive('cursor'));
  });

  test('a short root is rejected', () => {
    expect(() => openSecrets('password')).toThrow('at least 32 characters');
  });

  test('twenty processes that create the file at once share one secret that only its owner can read', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'new', 'secrets.json');
      const all = await Promise.all(Array.from({ length: 20 }, () => readSecretsFile(path, { mayCreate: true })));
      expect(new Set(all.map((secrets) => secrets.derive('cursor').toString('hex'))).size).toBe(1);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ secret: expect.any(String) });
    });
  });

  test('a missing file of an existing database is reported and not created', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'secrets.json');
      await expect(readSecretsFile(path, { mayCreate: false })).rejects.toThrow(/is missing.* Restore the file from a backup/);
      await expect(stat(path)).rejects.toThrow('ENOENT');
    });
  });

  test('a damaged file is rejected and never replaced', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'secrets.json');
      await writeFile(path, '{"secret":');
      await expect(readSecretsFile(path, { mayCreate: true })).rejects.toThrow('Restore it from a backup');
      expect(await readFile(path, 'utf8')).toBe('{"secret":');
    });
  });
});
