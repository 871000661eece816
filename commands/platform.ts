/** Connects a command to the platform's database: DATABASE_URL, or the embedded database of a running platform. */
import { join } from 'node:path';
import { openDatabase, sql, type Database } from '../platform/database/database.ts';
import { findEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { readEnvironment } from '../platform/env.ts';
import { hasErrorCode } from '../platform/error-code.ts';
import { openSecrets, readSecretsFile, type Secrets } from '../platform/security/secrets.ts';
import type { Area } from '../schema/areas.ts';
import { databaseUrls, directOwnerUrl } from '../wiring/database-urls.ts';
import { dataVariables, type Source } from '../wiring/environment.ts';

export interface Platform {
  /** URL of the database owner without a pooler. */
  readonly ownerUrl: string;
  readonly secrets: Secrets;
  /** A pool with the role of an area, closed with the platform. Throws when the database is unavailable or not migrated. */
  areaDatabase(area: Area): Promise<Database>;
  close(): Promise<void>;
}

async function locate(source: Source): Promise<Pick<Platform, 'ownerUrl' | 'secrets'>> {
  const { DATABASE_URL, DATA_DIRECTORY, SECRET } = readEnvironment(source, dataVariables);
  if (DATABASE_URL !== null) {
    if (SECRET === null) throw new Error('SECRET is required with DATABASE_URL: the one that the platform runs with.');
    return { ownerUrl: directOwnerUrl(source, DATABASE_URL), secrets: openSecrets(SECRET) };
  }
  const ownerUrl = await findEmbeddedPostgres(join(DATA_DIRECTORY, 'postgres'));
  if (ownerUrl === null)
    throw new Error(
      `No platform runs with the data directory ${DATA_DIRECTORY}. Start it with \`npm start\` in another terminal, set DATA_DIRECTORY as there, or set DATABASE_URL and SECRET.`,
    );
  return {
    ownerUrl,
    secrets:
      SECRET === null ? await readSecretsFile(join(DATA_DIRECTORY, 'secrets.json'), { mayCreate: false }) : openSecrets(SECRET),
  };
}

/** True for the errors of an unmigrated database: the role is missing, has a password from another secret, or its schema is empty. */
async function requireMigrated(database: Database, causeOf: () => unknown): Promise<void> {
  const [answer] = await database
    .query<{ migrated: boolean }>(sql`/* command.isMigrated */ select to_regclass('outbox') is not null as migrated`)
    .catch((error: unknown) => {
      if (hasErrorCode(causeOf(), '28P01', '28000')) return [{ migrated: false }];
      throw error;
    });
  if (!answer?.migrated)
    throw new Error('This database is not migrated (npm run migrate), or SECRET is not the one that the platform runs with.');
}

/** @throws Error with what to do when no database is running or SECRET is missing. */
export async function openPlatform(source: Source): Promise<Platform> {
  const { ownerUrl, secrets } = await locate(source);
  const urls = databaseUrls(source, ownerUrl, secrets);
  const opened: Database[] = [];
  return {
    ownerUrl,
    secrets,
    async areaDatabase(area) {
      let cause: unknown = null;
      const onFailure = (error: unknown): void => void (cause = error);
      const pool = openDatabase({ url: urls.areas[area], name: `command-${area}`, poolSize: 2, onFailure });
      let closed: Promise<void> | null = null;
      // an area built on this pool closes it too
      const database = { ...pool, close: () => (closed ??= pool.close()) };
      opened.push(database);
      await requireMigrated(database, () => cause);
      return database;
    },
    close: async () => {
      await Promise.all(opened.map((database) => database.close()));
    },
  };
}
