/** A synchronous standby server, made as docs/deploy/database-growth.md describes, and its promotion. */
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../platform/log.ts';
import { eventually } from '../eventually.ts';

const run = promisify(execFile);
const name = 'standby';

/** A PostgreSQL server of the system. */
export interface DatabaseServer {
  readonly ownerUrl: string;
  readonly dataDirectory: string;
  /** PGDATA. */
  readonly clusterDirectory: string;
}

export interface Standby extends DatabaseServer {
  /** Makes it the primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

async function withOwner<Result>(url: string, work: (owner: pg.Client) => Promise<Result>): Promise<Result> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

/** Copies a running server: pg_basebackup is not part of the embedded PostgreSQL. */
async function copyServer(primary: DatabaseServer, cluster: string): Promise<void> {
  await withOwner(primary.ownerUrl, async (owner) => {
    await owner.query(`select pg_backup_start('standby', fast => true)`);
    // files may vanish or change while they are copied: WAL contains their changes
    await run('cp', ['-a', join(primary.dataDirectory, 'cluster'), cluster]).catch(() => undefined);
    const { rows } = await owner.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    await writeFile(join(cluster, 'data', 'backup_label'), rows[0]?.labelfile ?? '');
  });
  for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(join(cluster, 'data', file), { force: true });
}

/** Starts a standby in a new folder. Resolves when the primary acknowledges writes only after the standby has stored them. */
export async function openStandby(primary: DatabaseServer, dataDirectory: string): Promise<Standby> {
  const { uid, gid } = await stat(primary.clusterDirectory);
  await mkdir(dataDirectory, { mode: 0o700 });
  await chown(dataDirectory, uid, gid);
  const clusterDirectory = join(dataDirectory, 'cluster', 'data');
  await copyServer(primary, join(dataDirectory, 'cluster'));
  const { hostname, port, username, password } = new URL(primary.ownerUrl);
  const connection = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)} application_name=${name}`;
  await appendFile(
    join(clusterDirectory, 'postgresql.auto.conf'),
    `primary_conninfo = '${connection}'\nsynchronous_standby_names = ''\n`,
  );
  await writeFile(join(clusterDirectory, 'standby.signal'), '');
  for (const file of ['backup_label', 'standby.signal']) await chown(join(clusterDirectory, file), uid, gid);
  const server = await startEmbeddedPostgres({ dataDirectory, log: createLog({ name, level: 'warn' }) });
  await withOwner(primary.ownerUrl, async (owner) => {
    await owner.query(`alter system set synchronous_standby_names = '${name}'`);
    await owner.query('select pg_reload_conf()');
    await eventually(async () => {
      const { rowCount } = await owner.query(`select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`);
      if (rowCount === 0) throw new Error('the standby is not synchronous');
    });
  });
  return {
    ownerUrl: server.url,
    dataDirectory,
    clusterDirectory,
    promote: () => withOwner(server.url, async (owner) => void (await owner.query('select pg_promote()'))),
    stop: server.stop,
  };
}
