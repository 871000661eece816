/** The root secret and derived keys. */
import { describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSecret, openSecrets, readSecretsFile } from '../../platform/security/secrets.ts';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

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
