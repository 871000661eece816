/** Secrets: all keys are derived from one root secret by purpose. A process may receive only some of the derived keys. */
import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from '../error-code.ts';

/** Keys of 32 bytes: a purpose always gives the same key, and no key reveals another. */
export interface Secrets {
  /**
   * @param purpose the use of the key, such as `cursor` or `database/talent_athletes`
   * @throws Error when this process received only some keys and not this one
   */
  derive(purpose: string): Buffer;
}

const rootLengthMin = 32;

/** Generates a root secret: 256 random bits in base64url (43 characters). */
export function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Derives keys from the root secret with HKDF-SHA256 (RFC 5869); the purpose is the info parameter.
 * @throws Error when the root has fewer than 32 characters: HKDF adds no strength to a weak secret
 */
export function openSecrets(root: string): Secrets {
  if (root.length < rootLengthMin) throw new Error(`The secret must have at least ${rootLengthMin} characters.`);
  const derived = new Map<string, Buffer>();
  return {
    derive(purpose) {
      const known = derived.get(purpose);
      if (known !== undefined) return known;
      const key = Buffer.from(hkdfSync('sha256', root, 'talent-platform', purpose, 32));
      derived.set(purpose, key);
      return key;
    },
  };
}

/** The keys of these purposes as one line of text: `purpose=key,…`, each key in base64url. The text grants these keys and no others. */
export function formatKeys(secrets: Secrets, purposes: readonly string[]): string {
  return purposes.map((purpose) => `${purpose}=${secrets.derive(purpose).toString('base64url')}`).join(',');
}

/**
 * Parses the text of formatKeys.
 * @throws Error that lists the missing purposes of `required`, never a key
 */
export function openKeys(text: string, required: readonly string[]): Secrets {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(',')) {
    const [purpose = '', key = ''] = entry.split('=');
    const bytes = Buffer.from(key, 'base64url');
    if (bytes.length === 32) keys.set(purpose.trim(), bytes);
  }
  const derive = (purpose: string): Buffer => {
    const key = keys.get(purpose);
    if (key === undefined) throw new Error(`KEYS contains no key for ${purpose}.`);
    return key;
  };
  const missing = required.filter((purpose) => !keys.has(purpose));
  if (missing.length > 0) throw new Error(`KEYS contains no key for ${missing.join(', ')}.`);
  return { derive };
}

/**
 * Reads the root secret from a file. With `mayCreate`, creates a missing file (0600) with a new secret; without, an existing database depends
 * on the secret. If several processes start at once, one creates the file and all read the same secret.
 * @throws Error when the file is not `{"secret": "…"}`, or is missing and must not be created
 */
export async function readSecretsFile(path: string, { mayCreate }: { readonly mayCreate: boolean }): Promise<Secrets> {
  const root = await readRoot(path);
  if (root !== null) return openSecrets(root);
  if (mayCreate) return openSecrets(await createRoot(path));
  throw new Error(
    `${path} is missing, but its folder has a database whose API keys depend on it. Restore the file from a backup, or set SECRET to the ` +
      'secret in it. If it is lost, delete the folder to start over, or see "A lost secret" in docs/deploy.md.',
  );
}

async function createRoot(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, `${JSON.stringify({ secret: generateSecret() })}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // link, unlike rename, never replaces a file that a concurrent process created
    await link(temporary, path);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  const root = await readRoot(path);
  if (root === null) throw new Error(`${path} was deleted while it was created.`);
  return root;
}

async function readRoot(path: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = null;
  }
  if (typeof content === 'object' && content !== null && 'secret' in content && typeof content.secret === 'string') {
    return content.secret;
  }
  throw new Error(
    `${path} is not {"secret": "…"}. Restore it from a backup: without it, existing API keys and cursors are invalid.`,
  );
}
