/** Opens connections for undici. Every address is checked before a connection to it, and once more before the first byte is sent. */
import type { LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { codeSuffix, OutgoingError } from './outgoing-error.ts';
import type { ResolveHost } from './public-resolver.ts';

export interface CheckedConnectorOptions {
  readonly resolve: ResolveHost;
  readonly isAllowed: (address: string) => boolean;
  /** Time limit of name resolution, connection and TLS handshake together. */
  readonly timeoutMs: number;
}

export interface CheckedConnector {
  readonly connect: buildConnector.connector;
  /** The number of open sockets. */
  openSockets(): number;
  /** Ends all connections. */
  destroy(): void;
}

/** The addresses of a host that are tried. */
const addressesMax = 8;

/** Resolves when the socket emits the event; rejects and destroys the socket if it fails or the signal aborts before. */
function established(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    // 'error' is handled for the lifetime of the socket: without a listener it would end the process
    socket.on('error', fail);
    socket.once('close', () => fail(new Error('closed')));
    socket.once(event, () => resolve());
    signal.addEventListener('abort', () => fail(new OutgoingError('TIMEOUT', 'The connection timed out.')), { once: true });
    if (signal.aborted) fail(new OutgoingError('TIMEOUT', 'The connection timed out.'));
  });
}

const toOutgoingError = (error: unknown, kind: 'DNS' | 'CONNECT' | 'TLS', sentence: string): OutgoingError =>
  error instanceof OutgoingError ? error : new OutgoingError(kind, `${sentence}${codeSuffix(error)}.`, { cause: error });

/**
 * One address that is not allowed denies the host, whatever its other addresses are. The connection goes to the checked addresses, without
 * another lookup, so a name that changes its address in between (DNS rebinding) has no effect.
 */
export function createCheckedConnector({ resolve, isAllowed, timeoutMs }: CheckedConnectorOptions): CheckedConnector {
  const sockets = new Set<Socket>();
  const opening = new Set<AbortController>();
  const deny = (hostname: string): OutgoingError =>
    new OutgoingError('ADDRESS_DENIED', `${hostname} has an address that is not public. Use a host with public addresses only.`);

  function resolveInTime(hostname: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const late = Promise.withResolvers<never>();
    const abort = (): void => late.reject(new OutgoingError('DNS', `The name servers of ${hostname} did not respond.`));
    signal.addEventListener('abort', abort, { once: true });
    return Promise.race([resolve(hostname), late.promise]);
  }

  async function checkedAddresses(hostname: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const family = isIP(hostname);
    const addresses = family === 0 ? await resolveInTime(hostname, signal) : [{ address: hostname, family }];
    if (!addresses.every(({ address }) => isAllowed(address))) throw deny(hostname);
    if (addresses.length === 0) throw new OutgoingError('DNS', `${hostname} has no address.`);
    return addresses.slice(0, addressesMax);
  }

  async function openTcp(hostname: string, port: number, signal: AbortSignal): Promise<Socket> {
    const addresses = await checkedAddresses(hostname, signal).catch((error: unknown) => {
      throw toOutgoingError(error, 'DNS', `${hostname} cannot be resolved`);
    });
    const socket = connectTcp({
      host: hostname,
      port,
      noDelay: true,
      autoSelectFamily: true,
      lookup: (_hostname, _options, done) => done(null, [...addresses]),
    });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    await established(socket, 'connect', signal).catch((error: unknown) => {
      throw toOutgoingError(error, 'CONNECT', `No connection to ${hostname}`);
    });
    if (socket.remoteAddress !== undefined && isAllowed(socket.remoteAddress)) return socket;
    socket.destroy();
    throw deny(hostname);
  }

  async function openTls(socket: Socket, hostname: string, signal: AbortSignal): Promise<TLSSocket> {
    const secure = connectTls({
      socket,
      host: hostname,
      servername: isIP(hostname) === 0 ? hostname : '',
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    await established(secure, 'secureConnect', signal).catch((error: unknown) => {
      socket.destroy();
      throw toOutgoingError(error, 'TLS', `The TLS handshake with ${hostname} failed`);
    });
    return secure;
  }

  async function open({ hostname, port, protocol }: buildConnector.Options): Promise<Socket> {
    const isTls = protocol === 'https:';
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    opening.add(limit);
    try {
      const socket = await openTcp(hostname, port === '' ? (isTls ? 443 : 80) : Number(port), limit.signal);
      return isTls ? await openTls(socket, hostname, limit.signal) : socket;
    } finally {
      clearTimeout(timer);
      opening.delete(limit);
    }
  }

  return {
    connect: (options, callback) => {
      open(options).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
    openSockets: () => sockets.size,
    destroy: () => {
      for (const limit of opening) limit.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}
