/** The database and the root secret of this installation: given by the environment, or the platform's own. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { readEnvironment } from '../platform/env.ts';
import { openKeys, openSecrets, readSecretsFile, type Secrets } from '../platform/security/secrets.ts';
import { dataVariables, type Source } from './environment.ts';
import { keysVariable, purposesOf } from './keys.ts';

export interface Installation {
  /** URL of the owner: for migrations only. */
  readonly ownerUrl: string;
  readonly secrets: Secrets;
  /** True when the database is the platform's own. */
  readonly embedded: boolean;
  /** Stops the embedded database, when no other process uses it. */
  close(): Promise<void>;
}

/**
 * Starts the embedded database when there is no DATABASE_URL.
 * @throws Error that says what to do: an external database without SECRET would lose every key with the process.
 */
export async function openInstallation(source: Source, log: Logger): Promise<Installation> {
  const { DATABASE_URL, DATA_DIRECTORY, SECRET } = readEnvironment(source, dataVariables);
  if (DATABASE_URL !== null) {
    if (SECRET === null)
      throw new Error(
        'SECRET is required with DATABASE_URL: keys and cursors are made with it. Generate one: openssl rand -base64 48',
      );
    return { ownerUrl: DATABASE_URL, secrets: openSecrets(SECRET), embedded: false, close: () => Promise.resolve() };
  }
  const secrets = SECRET === null ? await readSecretsFile(join(DATA_DIRECTORY, 'secrets.json')) : openSecrets(SECRET);
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(DATA_DIRECTORY, 'postgres'), log });
  return { ownerUrl: postgres.url, secrets, embedded: true, close: () => postgres.stop() };
}

/**
 * The keys of a process that shares the work with others: its own, or the root secret.
 * @throws Error that names the variable and the command when keys are missing, or both are given: then the process would hold more than it needs.
 */
export function requireSecrets(role: string, source: Source): Secrets {
  const { SECRET, KEYS } = readEnvironment(source, dataVariables);
  const how = `\`npm run secrets\` writes them as ${keysVariable(role)} to .env.`;
  if (SECRET !== null && KEYS !== null)
    throw new Error(`Set KEYS or SECRET, not both: with its KEYS the role ${role} needs no SECRET.`);
  if (KEYS === null) {
    if (SECRET === null) throw new Error(`KEYS is required: the keys of the role ${role}. ${how}`);
    return openSecrets(SECRET);
  }
  try {
    return openKeys(KEYS, purposesOf(role));
  } catch (fault) {
    throw new Error(`${fault instanceof Error ? fault.message : ''} They must be the keys of the role ${role}. ${how}`, {
      cause: fault,
    });
  }
}

/** The database and keys of a process that shares the work with others. Throws Error that says what is missing. */
export function requireInstallation(role: string, source: Source): Pick<Installation, 'ownerUrl' | 'secrets'> {
  const secrets = requireSecrets(role, source);
  const { DATABASE_URL } = readEnvironment(source, dataVariables);
  if (DATABASE_URL === null)
    throw new Error('DATABASE_URL is required: only `npm start` without a role brings a database of its own.');
  return { ownerUrl: DATABASE_URL, secrets };
}
