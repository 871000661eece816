/** The database and the secrets of an installation: from the environment, or embedded. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { readEnvironment } from '../platform/env.ts';
import { openKeys, openSecrets, readSecretsFile, type Secrets } from '../platform/security/secrets.ts';
import { directOwnerUrl } from './database-urls.ts';
import { dataVariables, type Source } from './environment.ts';
import { keysVariable, purposesOf } from './keys.ts';

export interface Installation {
  /** Database URL of the owner, whose host the roles use. */
  readonly ownerUrl: string;
  /** The same without a pooler: for migrations and commands. */
  readonly directUrl: string;
  readonly secrets: Secrets;
  /** Whether the database is embedded. */
  readonly embedded: boolean;
  /** False while the embedded database cannot be restarted. */
  readonly isHealthy: () => boolean;
  /** Stops the embedded database unless another process uses it. */
  close(): Promise<void>;
}

/**
 * Starts the embedded database if DATABASE_URL is not set.
 * @throws Error for an external database without SECRET: all API keys would become invalid when the process ends
 */
export async function openInstallation(source: Source, log: Logger): Promise<Installation> {
  const { DATABASE_URL, DATA_DIRECTORY, SECRET } = readEnvironment(source, dataVariables);
  if (DATABASE_URL !== null) {
    if (SECRET === null)
      throw new Error(
        'SECRET is required with DATABASE_URL, because API keys and cursors depend on it. Generate one: openssl rand -base64 48',
      );
    return {
      ownerUrl: DATABASE_URL,
      directUrl: directOwnerUrl(source, DATABASE_URL),
      secrets: openSecrets(SECRET),
      embedded: false,
      isHealthy: () => true,
      close: () => Promise.resolve(),
    };
  }
  const secrets = SECRET === null ? await embeddedSecrets(DATA_DIRECTORY) : openSecrets(SECRET);
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(DATA_DIRECTORY, 'postgres'), log });
  const { url, isHealthy, stop } = postgres;
  return { ownerUrl: url, directUrl: url, secrets, embedded: true, isHealthy, close: stop };
}

/** The secret of an embedded database: created with the database, never later. */
async function embeddedSecrets(dataDirectory: string): Promise<Secrets> {
  // checked first: a concurrent first start creates the file before the database
  const mayCreate = !existsSync(join(dataDirectory, 'postgres', 'cluster'));
  return readSecretsFile(join(dataDirectory, 'secrets.json'), { mayCreate });
}

/**
 * The keys of a process of a distributed installation: its own keys, or the root secret.
 * @throws Error with instructions if keys are missing, or if both variables are set, because the process would have unneeded keys
 */
export function requireSecrets(role: string, source: Source): Secrets {
  const { SECRET, KEYS } = readEnvironment(source, dataVariables);
  const instruction = `\`npm run secrets\` writes them as ${keysVariable(role)} to .env.`;
  if (SECRET !== null && KEYS !== null)
    throw new Error(`Set KEYS or SECRET, not both: with KEYS, the role ${role} does not need SECRET.`);
  if (KEYS === null) {
    if (SECRET === null) throw new Error(`KEYS is required: the keys of the role ${role}. ${instruction}`);
    return openSecrets(SECRET);
  }
  try {
    return openKeys(KEYS, purposesOf(role));
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : ''} KEYS must be the keys of the role ${role}. ${instruction}`, {
      cause: error,
    });
  }
}

/** The database and keys of a process of a distributed installation. Throws Error if one is missing. */
export function requireInstallation(role: string, source: Source): Pick<Installation, 'ownerUrl' | 'secrets'> {
  const secrets = requireSecrets(role, source);
  const { DATABASE_URL } = readEnvironment(source, dataVariables);
  if (DATABASE_URL === null)
    throw new Error('DATABASE_URL is required. Only `npm start` without a role starts an embedded database.');
  return { ownerUrl: DATABASE_URL, secrets };
}
