/** One database per test file: a clone of the migrated template that test/global-setup.js prepared. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface ClonedDatabase {
  /** URL of the clone, as the owner of everything in it. */
  readonly ownerUrl: string;
  /** URL of the clone as a new role with the privileges of the given one, so that tests need no platform password. */
  urlAs(role: string): Promise<string>;
  /** Closes what is still connected, and removes the clone and its roles. */
  drop(): Promise<void>;
}

const templateName = 'talent_template';

/** @throws Error when the tests do not run under jest's global setup (TEST_DATABASE_URL: owner, any database of the cluster). */
export async function cloneDatabase(): Promise<ClonedDatabase> {
  const maintenanceUrl = process.env.TEST_DATABASE_URL;
  if (maintenanceUrl === undefined) throw new Error('TEST_DATABASE_URL is missing: run the tests with `npm test`.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const roles: string[] = [];

  async function run(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: maintenanceUrl });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  const url = (user?: { role: string; password: string }): string => {
    const cloned = new URL(maintenanceUrl);
    cloned.pathname = `/${name}`;
    if (user !== undefined) Object.assign(cloned, { username: user.role, password: user.password });
    return cloned.href;
  };

  await run(`create database ${name} template ${templateName}`);
  return {
    ownerUrl: url(),
    async urlAs(role) {
      const user = { role: `${name}_${roles.length}`, password: randomBytes(16).toString('hex') };
      roles.push(user.role);
      await run(`create role ${user.role} login password '${user.password}' in role ${role}`);
      return url(user);
    },
    drop: () => run(`drop database if exists ${name} with (force)`, ...roles.map((role) => `drop role if exists ${role}`)),
  };
}
