/** Secrets: all keys are derived from one root secret by purpose. A process may receive only some of the derived keys. */
import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from '../error-code.ts';

/** Keys of 32 bytes: a purpose always gives the same key, and no key reveals another. */
export interface Secrets {
  /** The number of the root secret: 1, and one more after each rotation. It is stored with hashes and encrypted values. */
  readonly version: number;
  /** The secret before the rotation, until the rotation is finished: it only verifies and decrypts. */
  readonly previous: Secrets | null;
  /**
   * @param purpose the use of the key, such as `cursor` or `database/talent_athletes`
   * @throws Error when this process received only some keys and not this one
   */
  derive(purpose: string): Buffer;
}

const rootLengthMin = 32;

/** Versions above 1 are the beginning of a root: `v2.…`. During a rotation the previous root follows after a comma. */
const rotated = /^v([2-9]|[1-9]\d{1,2})\.[\w-]+(?:,(.+))?$/s;

/** Generates a root secret: 256 random bits in base64url (43 characters). */
export function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The text of the root secret after a rotation: a new root, followed by the current one, which stays valid until `finishRotation`.
 * @throws Error when the last rotation is not finished
 */
export function rotateSecret(root: string): string {
  const { version, previous } = openSecrets(root);
  if (previous !== null)
    throw new Error('The last rotation is not finished. Run `npm run doctor`, then `npm run secrets -- finish`.');
  return `v${version + 1}.${generateSecret()},${root}`;
}

/** The text of the root secret without the previous one. Throws Error when there is none. */
export function finishRotation(root: string): string {
  if (openSecrets(root).previous === null) throw new Error('There is no previous secret: no rotation is in progress.');
  return root.slice(0, root.indexOf(','));
}

/**
 * Derives keys from the root secret with HKDF-SHA256 (RFC 5869); the purpose is the info parameter.
 * @throws Error when a root has fewer than 32 characters: HKDF adds no strength to a weak secret
 */
export function openSecrets(text: string): Secrets {
  const [, version = '1', before] = rotated.exec(text) ?? [];
  const root = before === undefined ? text : text.slice(0, text.indexOf(','));
  if (root.length < rootLengthMin) throw new Error(`The secret must have at least ${rootLengthMin} characters.`);
  const derived = new Map<string, Buffer>();
  return {
    version: Number(version),
    previous: before === undefined ? null : openSecrets(before),
    derive(purpose) {
      const known = derived.get(purpose);
      if (known !== undefined) return known;
      const key = Buffer.from(hkdfSync('sha256', root, 'talent-platform', purpose, 32));
      derived.set(purpose, key);
      return key;
    },
  };
}

/** The secrets whose signatures and hashes are valid: the current one first. */
export const validSecrets = (secrets: Secrets): readonly Secrets[] =>
  secrets.previous === null ? [secrets] : [secrets, secrets.previous];

/** The keys of a purpose whose signatures are valid: the current one first. */
export const validKeys = (secrets: Secrets, purpose: string): readonly Buffer[] =>
  validSecrets(secrets).map((each) => each.derive(purpose));

/** The secret with this version. Throws Error for a version before the last rotation. */
export function secretOfVersion(secrets: Secrets, version: number): Secrets {
  const found = validSecrets(secrets).find((each) => each.version === version);
  if (found === undefined) throw new Error(`SECRET has no version ${version}: its rotation is finished.`);
  return found;
}

/**
 * The keys of these purposes as one line of text: `purpose=key,…`, each key in base64url, with the version as `v2:purpose=key` after a
 * rotation. The text grants these keys and no others.
 */
export function formatKeys(secrets: Secrets, purposes: readonly string[]): string {
  const prefix = secrets.version === 1 ? '' : `v${secrets.version}:`;
  const keys = purposes.map((purpose) => `${prefix}${purpose}=${secrets.derive(purpose).toString('base64url')}`);
  return [...keys, ...(secrets.previous === null ? [] : [formatKeys(secrets.previous, purposes)])].join(',');
}

/**
 * Parses the text of formatKeys.
 * @throws Error that lists the missing purposes of `required`, never a key
 */
export function openKeys(text: string, required: readonly string[]): Secrets {
  const entries = text.split(',').flatMap((entry) => {
    const [, version = '1', purpose = '', key = ''] = /^\s*(?:v(\d{1,3}):)?([^=]+)=(.*)$/.exec(entry) ?? [];
    const bytes = Buffer.from(key, 'base64url');
    return bytes.length === 32 ? [{ version: Number(version), purpose, bytes }] : [];
  });
  const versions = Map.groupBy(entries, ({ version }) => version);
  const ascending = [...versions].toSorted(([one], [other]) => one - other);
  const opened = ascending.reduce<Secrets | null>((previous, [version, own]) => {
    const keys = new Map(own.map(({ purpose, bytes }) => [purpose, bytes]));
    return keysOfVersion(version, keys, previous);
  }, null);
  const secrets = opened ?? keysOfVersion(1, new Map(), null);
  const missing = required.filter(
    (purpose) => !entries.some((each) => each.version === secrets.version && each.purpose === purpose),
  );
  if (missing.length > 0) throw new Error(`KEYS contains no key for ${missing.join(', ')}.`);
  return secrets;
}

const keysOfVersion = (version: number, keys: ReadonlyMap<string, Buffer>, previous: Secrets | null): Secrets => ({
  version,
  previous,
  derive(purpose) {
    const key = keys.get(purpose);
    if (key === undefined) throw new Error(`KEYS contains no key for ${purpose}.`);
    return key;
  },
});

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
  try {
    return parseSecretsFile(await readFile(path, 'utf8'), path).secret;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** The root secret of the text of a secrets file. Throws Error for another text. */
export function parseSecretsFile(text: string, path: string): { readonly secret: string } {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = null;
  }
  if (typeof content === 'object' && content !== null && 'secret' in content && typeof content.secret === 'string') {
    return { secret: content.secret };
  }
  throw new Error(
    `${path} is not {"secret": "…"}. Restore it from a backup: without it, existing API keys and cursors are invalid.`,
  );
}
