/** A call to the URL of a user reaches no private address, whatever the name servers of its host answer. */
import type { lookup, LookupAddress } from 'node:dns';
import { createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createOutgoingClient, type OutgoingClient } from '../../platform/http/outgoing-client.ts';
import { createPublicResolver } from '../../platform/http/public-resolver.ts';
import { openDnsServer } from './dns-server.ts';

/** The private server: it must never receive anything. */
const connections: Socket[] = [];
const received: Buffer[] = [];
const privateServer = createServer((socket) => {
  connections.push(socket);
  socket.on('data', (bytes: Buffer) => received.push(bytes)).on('error', () => undefined);
});
/** The client calls port 8443 only. Linux has many loopback addresses, so that test runs of this machine do not share it. */
const privateHost = process.platform === 'linux' ? `127.1.${(process.pid >> 8) & 255}.${process.pid & 255}` : '127.0.0.1';
/** An address without a route or server: connections to it fail. */
const publicAddress: LookupAddress = { address: '2400::1', family: 6 };
const privateAddress: LookupAddress = { address: privateHost, family: 4 };

const clients: OutgoingClient[] = [];
/** A client whose name server returns the next list for each query, and the last one again. */
const clientWith = (...answers: readonly (readonly LookupAddress[])[]) => openClient(false, answers);

function openClient(
  allowLocal: boolean,
  answers: readonly (readonly LookupAddress[])[],
): { client: OutgoingClient; lookups: () => number } {
  let count = 0;
  const look = (_host: string, _options: unknown, done: (error: null, addresses: readonly LookupAddress[]) => void): void => {
    done(null, answers[Math.min(count, answers.length - 1)] ?? []);
    count += 1;
  };
  // Cast: the client calls lookup with these arguments only
  const client = createOutgoingClient({ allowLocal, lookup: look as unknown as typeof lookup });
  clients.push(client);
  return { client, lookups: () => count };
}

const call = { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 1_000 };
const url = 'https://hooks.example.com:8443/';

beforeAll(
  () => new Promise<void>((resolve, reject) => void privateServer.once('error', reject).listen(8443, privateHost, resolve)),
);
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const socket of connections.splice(0)) socket.destroy();
  received.length = 0;
});
afterAll(() => void privateServer.close());

describe('a host', () => {
  test('with a private address is denied before a connection', async () => {
    const { client } = clientWith([privateAddress]);
    await expect(client.post(url, call)).rejects.toMatchObject({
      kind: 'ADDRESS_DENIED',
      message: 'hooks.example.com has an address that is not public. Use a host with public addresses only.',
    });
    expect(connections).toHaveLength(0);
  });

  test('with the address of the metadata of a cloud is denied in development too', async () => {
    for (const [address, family] of [
      ['169.254.169.254', 4],
      ['fd00:ec2::254', 6],
      ['fd20:ce::254', 6],
    ] as const) {
      const { client } = openClient(true, [[{ address, family }]]);
      await expect(client.post(url, call)).rejects.toMatchObject({ kind: 'ADDRESS_DENIED' });
    }
  });

  test('with one private address among public ones is denied', async () => {
    for (const addresses of [
      [publicAddress, privateAddress],
      [privateAddress, publicAddress],
    ]) {
      const { client } = clientWith(addresses);
      await expect(client.post(url, call)).rejects.toMatchObject({ kind: 'ADDRESS_DENIED' });
    }
    expect(connections).toHaveLength(0);
  });

  test.each(['::ffff:127.0.0.1', '::1', '64:ff9b::7f00:1', '2002:7f00:1::', '169.254.169.254', 'fe80::1%lo', '0.0.0.0'])(
    'with the address %s is denied',
    async (address) => {
      const { client } = clientWith([{ address, family: address.includes(':') ? 6 : 4 }]);
      await expect(client.post(url, call)).rejects.toMatchObject({ kind: 'ADDRESS_DENIED' });
      expect(connections).toHaveLength(0);
    },
  );

  test('whose address changes to a private one after the check is not reached: the checked address is used', async () => {
    const { client, lookups } = clientWith([publicAddress], [privateAddress]);
    await expect(client.post(url, call)).rejects.toMatchObject({ kind: expect.stringMatching(/^(CONNECT|TIMEOUT)$/) });
    expect(lookups()).toBe(1);
    expect(connections).toHaveLength(0);
    await expect(client.post(url, call)).rejects.toMatchObject({ kind: 'ADDRESS_DENIED' });
    expect(connections).toHaveLength(0);
  });

  test('that leads to a private server in spite of the check receives no byte, not even of the TLS handshake', async () => {
    let reads = 0;
    const changing: LookupAddress = {
      family: 4,
      get address() {
        reads += 1;
        return reads === 1 ? '93.184.215.14' : privateAddress.address;
      },
    };
    const { client } = clientWith([changing]);
    await expect(client.post(url, call)).rejects.toMatchObject({ kind: 'ADDRESS_DENIED' });
    expect(reads).toBeGreaterThan(1);
    expect(Buffer.concat(received)).toHaveLength(0);
  });

  test('without an address, or whose name servers fail, is an error of kind DNS', async () => {
    await expect(clientWith([]).client.post(url, call)).rejects.toMatchObject({ kind: 'DNS' });
    const failing = (_host: string, _options: unknown, done: (error: Error) => void): void =>
      done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    // Cast: the client calls lookup with these arguments only
    const client = createOutgoingClient({ allowLocal: false, lookup: failing as unknown as typeof lookup });
    clients.push(client);
    await expect(client.post(url, call)).rejects.toMatchObject({
      kind: 'DNS',
      message: 'hooks.example.com cannot be resolved (ENOTFOUND).',
    });
  });

  test('whose name servers hang ends at the time limit of the call', async () => {
    const client = createOutgoingClient({ allowLocal: false, lookup: (() => undefined) as unknown as typeof lookup });
    await expect(client.post(url, { ...call, timeoutMs: 100 })).rejects.toMatchObject({ kind: 'TIMEOUT' });
  });

  test('that is an address in the URL is denied without a lookup', async () => {
    const { client, lookups } = clientWith([publicAddress]);
    for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:7f00:1]'])
      await expect(client.post(`https://${host}:8443/`, call)).rejects.toMatchObject({ kind: 'ADDRESS_DENIED' });
    expect(lookups()).toBe(0);
    expect(connections).toHaveLength(0);
  });
});

describe('the resolver', () => {
  test('returns the addresses of both families from the name servers, and ignores the hosts file', async () => {
    const server = await openDnsServer((name) =>
      name === 'localhost' ? ['192.0.2.7'] : ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
    );
    const resolve = createPublicResolver({ servers: [server.address] });
    expect(await resolve('hooks.example.com')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
    expect(await resolve('localhost')).toEqual([{ address: '192.0.2.7', family: 4 }]);
    server.close();
  });

  test('answers while the name servers of a hundred other hosts hang', async () => {
    const server = await openDnsServer((name) => (name.startsWith('hanging') ? null : ['192.0.2.1']));
    const resolve = createPublicResolver({ servers: [server.address] });
    const hanging = Array.from({ length: 100 }, (_, index) => resolve(`hanging-${index}.example.com`).catch(() => 'failed'));
    const first = await Promise.race([resolve('hooks.example.com'), ...hanging]);
    expect(first).toHaveLength(1);
    server.close();
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['failed']));
  });
});
