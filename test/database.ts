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
  /** The same through the pooler of the cluster, if there is one. */
  pooledUrlAs(role: string): string;
  /** The secret that role passwords are derived from. */
  readonly secrets: Secrets;
  /** Closes open connections and drops the clone. */
  drop(): Promise<void>;
}

/** A PostgreSQL cluster with the migrated template. */
export interface TestCluster {
  /** The owner's URL of any of its databases. */
  readonly maintenanceUrl: string;
  /** The secret that its role passwords are derived from. */
  readonly secret: string;
  /** The port of a pooler for the processes of the platform (test/pooler.ts). */
  readonly poolerPort?: number;
}

export const templateName = 'talent_template';
/** The template of sandboxes, which their role owns. */
export const sandboxTemplateName = 'talent_sandbox_template';

/** The cluster of jest's global setup. @throws Error outside of it */
export function sharedCluster(): TestCluster {
  const { TEST_DATABASE_URL: maintenanceUrl, TEST_SECRET: secret } = process.env;
  if (maintenanceUrl === undefined || secret === undefined)
    throw new Error('TEST_DATABASE_URL or TEST_SECRET is missing: run the tests with `npm test`.');
  return { maintenanceUrl, secret };
}

/** @param cluster default: the one that all tests share */
export async function cloneDatabase(
  { maintenanceUrl, secret, poolerPort }: TestCluster = sharedCluster(),
): Promise<ClonedDatabase> {
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

  async function sandboxesOf(of: string): Promise<string[]> {
    const client = new pg.Client({ connectionString: maintenanceUrl });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [`${of}_test_`],
    );
    await client.end();
    return rows.map((row) => row.name);
  }

  const cloned = new URL(maintenanceUrl);
  cloned.pathname = `/${name}`;
  const ownerUrl = cloned.href;
  await run(`create database ${name} template ${templateName} strategy file_copy`);
  return {
    ownerUrl,
    secrets,
    urlAs: (role) => roleUrl(ownerUrl, role, secrets),
    pooledUrlAs(role) {
      const url = new URL(roleUrl(ownerUrl, role, secrets));
      if (poolerPort !== undefined) url.port = String(poolerPort);
      return url.href;
    },
    async drop() {
      // with the sandboxes of test mode
      for (const each of [...(await sandboxesOf(name)), name]) await run(`drop database if exists ${each} with (force)`);
    },
  };
}
