/** One database per test file: a clone of the migrated template that test/global-setup.js prepared. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { roleUrl } from '../platform/database/roles.ts';
import { openSecrets, type Secrets } from '../platform/security/secrets.ts';

export interface ClonedDatabase {
  /** Database URL as the owner. */
  readonly ownerUrl: string;
  /** Database URL as a role of the platform, such as `talent_router`. */
  urlAs(role: string): string;
  /** The secret that role passwords are derived from. */
  readonly secrets: Secrets;
  /** Closes open connections and drops the clone. */
  drop(): Promise<void>;
}

const templateName = 'talent_template';

/** @throws Error outside jest's global setup. TEST_DATABASE_URL is the owner's URL of any database of the cluster. */
export async function cloneDatabase(): Promise<ClonedDatabase> {
  const maintenanceUrl = process.env.TEST_DATABASE_URL;
  const secret = process.env.TEST_SECRET;
  if (maintenanceUrl === undefined || secret === undefined) {
    throw new Error('TEST_DATABASE_URL or TEST_SECRET is missing: run the tests with `npm test`.');
  }
  const secrets = openSecrets(secret);
  const name = `test_${randomBytes(6).toString('hex')}`;

  async function run(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: maintenanceUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  const cloned = new URL(maintenanceUrl);
  cloned.pathname = `/${name}`;
  const ownerUrl = cloned.href;
  await run(`create database ${name} template ${templateName} strategy file_copy`);
  return {
    ownerUrl,
    secrets,
    urlAs: (role) => roleUrl(ownerUrl, role, secrets),
    drop: () => run(`drop database if exists ${name} with (force)`),
  };
}
