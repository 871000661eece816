/** Sends a CancelRequest of the PostgreSQL protocol, which ends the running statement of a session. */
import { createConnection } from 'node:net';
import type pg from 'pg';

/** Where PostgreSQL listens: `host` is a name, an address, or the folder of a Unix socket. */
export type ServerAddress = Pick<pg.Client, 'host' | 'port'>;

/** The request code that takes the place of a protocol version. */
const cancelRequestCode = (1234 << 16) | 5678;

const timeoutMs = 1_000;

/** The process ID and secret of a session, which `pg` receives when it connects; null before. */
function keyOf(client: object): { readonly processId: number; readonly secret: number } | null {
  if (!('processID' in client) || !('secretKey' in client)) return null;
  const { processID: processId, secretKey: secret } = client;
  return typeof processId === 'number' && typeof secret === 'number' ? { processId, secret } : null;
}

/**
 * Requests that PostgreSQL cancels the statement that a client runs; never throws. The request has no response, and it may arrive after the
 * statement ended, so the client must not run another statement. PostgreSQL accepts it without TLS and without a password; where a pooler does
 * not, the statement runs until its statement_timeout.
 */
export function sendCancelRequest({ host, port }: ServerAddress, client: object): void {
  const key = keyOf(client);
  if (key === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(cancelRequestCode, 4);
  message.writeInt32BE(key.processId, 8);
  message.writeInt32BE(key.secret, 12);
  const socket = createConnection(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  // also in the time between the connection and the end of the response: a stopped server accepts connections
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once('error', () => undefined);
  socket.once('close', () => clearTimeout(timer));
  socket.end(message);
  socket.resume();
}
