/** Secrets: every key of the platform is derived from one root secret, by purpose; a process may be given some of the keys instead. */
import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from '../error-code.ts';

/** Keys of 32 bytes; the same purpose always gives the same key, and no key tells anything of another. */
export interface Secrets {
  /**
   * @param purpose what the key is for, such as `cursor` or `database/talent_athletes`.
   * @throws Error when this process was given some of the keys, and not this one.
   */
  derive(purpose: string): Buffer;
}

const rootLengthMin = 32;

/** A new root secret: 256 random bits in base64url (43 characters). */
export function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Opens the root secret: HKDF-SHA256 (RFC 5869) with the purpose as info.
 * @throws Error when the root is shorter than 32 characters: HKDF adds no strength to a weak secret.
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

/** The keys of these purposes as one line of text: `purpose=key,…`, each key in base64url. Who has it has these keys and no other. */
export function formatKeys(secrets: Secrets, purposes: readonly string[]): string {
  return purposes.map((purpose) => `${purpose}=${secrets.derive(purpose).toString('base64url')}`).join(',');
}

/**
 * Opens what printKeys wrote.
 * @throws Error that names the purposes of `required` which are missing, never a key.
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
    if (key === undefined) throw new Error(`KEYS holds no key for ${purpose}.`);
    return key;
  };
  const missing = required.filter((purpose) => !keys.has(purpose));
  if (missing.length > 0) throw new Error(`KEYS holds no key for ${missing.join(', ')}.`);
  return { derive };
}

/**
 * Opens the root secret of a file, and makes the file (0600) with a new one when there is none.
 * Of several processes that start at once, one creates it and all read the same.
 * @throws Error when the file is no `{"secret": "…"}`.
 */
export async function readSecretsFile(path: string): Promise<Secrets> {
  return openSecrets((await readRoot(path)) ?? (await createRoot(path)));
}

async function createRoot(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, `${JSON.stringify({ secret: generateSecret() })}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // link, unlike rename, never replaces the file of a process that was faster
    await link(temporary, path);
  } catch (fault) {
    if (!hasErrorCode(fault, 'EEXIST')) throw fault;
  } finally {
    await rm(temporary, { force: true });
  }
  const root = await readRoot(path);
  if (root === null) throw new Error(`${path} vanished while it was created.`);
  return root;
}

async function readRoot(path: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (fault) {
    if (hasErrorCode(fault, 'ENOENT')) return null;
    throw fault;
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
    `${path} is not {"secret": "…"}: restore it from a backup (keys and cursors made with it are lost without it).`,
  );
}
