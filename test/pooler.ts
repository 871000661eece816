/** PgBouncer in transaction mode for tests: every transaction of a client may use another session. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverAccount } from '../platform/embedded-postgres/home.ts';
import { eventually } from './eventually.ts';
import { freePort } from '../commands/local-process.ts';

export interface Pooler {
  readonly port: number;
  close(): Promise<void>;
}

function isInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** `test` or `describe` when pgbouncer is installed, else their `skip`. Throws Error when it is missing in continuous integration. */
export function withPooler<Define extends { readonly skip: unknown }>(define: Define): Define | Define['skip'] {
  if (isInstalled()) return define;
  if (process.env['CI'])
    throw new Error('pgbouncer is not installed. It is required when CI is set: install it, or unset CI to skip its tests.');
  return define.skip;
}

const accepts = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });

/**
 * Starts it in front of a server.
 * @param server the URL of any of its databases
 * @param logins the names and passwords that it accepts and logs in with
 */
export async function startPooler(
  server: string,
  logins: readonly (readonly [name: string, password: string])[],
): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'pooler-'));
  const port = await freePort();
  const { hostname, port: serverPort } = new URL(server);
  const users = join(folder, 'users.txt');
  await writeFile(users, logins.map(([name, password]) => `"${name}" "${password}"\n`).join(''));
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
`,
  );
  // it does not run as root
  const account = await serverAccount();
  if (account !== null) for (const path of [folder, users, file]) await chown(path, account.uid, account.gid);
  await chmod(folder, 0o700);
  const child = spawn('pgbouncer', ['--quiet', file], {
    cwd: '/',
    stdio: 'ignore',
    ...(account !== null && { uid: account.uid, gid: account.gid }),
  });
  const ended = once(child, 'exit');
  await eventually(() => accepts(port));
  return {
    port,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
