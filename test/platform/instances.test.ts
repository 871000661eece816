/** Several instances of another process: calls are distributed, and those of an instance that fails go to the others. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createFrameClient, type FrameClient } from '../../platform/frames/client.ts';
import { createInstanceAgents, type InstanceAgent } from '../../platform/http/instance-agents.ts';
import { createPeer } from '../../platform/http/peer.ts';
import type { ResolveHost } from '../../platform/http/public-resolver.ts';
import { eventually } from '../eventually.ts';
import { callOf, edgeKey, startServer, type TestServer } from './frame-server.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function openFrames(options: Parameters<typeof startServer>[0] = {}): Promise<TestServer> {
  const server = await startServer(options);
  closings.push(() => server.crash());
  return server;
}

function frameClient(url: string | readonly string[], resolve?: ResolveHost): FrameClient {
  const client = createFrameClient({ name: 'The other', url, key: edgeKey, resolve });
  closings.push(() => client.close());
  return client;
}

async function openHttp(listener: RequestListener): Promise<Server & { readonly url: string }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const unused = 'http://127.0.0.1:1';
const times = <Item>(count: number, item: () => Item): Item[] => Array.from({ length: count }, item);

/** Calls until every server has executed one. */
const callAll = (client: FrameClient, servers: readonly TestServer[]): Promise<void> =>
  eventually(async () => {
    await Promise.all(times(20, () => client.call(callOf('x'))));
    for (const { executed } of servers) expect(executed.length).toBeGreaterThan(0);
  });

describe('framed calls to a list of addresses', () => {
  test('are distributed over the instances', async () => {
    const servers = [await openFrames(), await openFrames()];
    const client = frameClient(servers.map(({ url }) => url));
    await callAll(client, servers);
    for (const server of servers) server.executed.length = 0;
    for (let calls = 0; calls < 200; calls += 1) await client.call(callOf('x'));
    for (const { executed } of servers) expect(executed.length).toBeGreaterThan(40);
  });

  test('that are lost are repeated by another instance if they are queries, also 100 at once', async () => {
    const [one, other] = [await openFrames(), await openFrames()];
    const client = frameClient([one.url, other.url]);
    await callAll(client, [one, other]);
    one.executed.length = 0;
    one.respond = () => new Promise<string>(() => undefined);
    const calls = times(200, () => client.call(callOf('y')));
    await eventually(() => Promise.resolve(expect(one.executed.length).toBeGreaterThan(50)));
    one.crash();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['y']));
  });

  test('that are mutations are sent to the instance that is reachable, and never twice', async () => {
    const server = await openFrames();
    const client = frameClient([unused, server.url]);
    for (let calls = 0; calls < 20; calls += 1) await client.call(callOf(`m${calls}`, { mutation: true }));
    expect(server.executed).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`));
  });

  test('go to the preferred instance, and report the one that responded', async () => {
    const servers = [await openFrames(), await openFrames()];
    const client = frameClient(servers.map(({ url }) => url));
    await callAll(client, servers);
    for (const { url } of servers)
      for (let calls = 0; calls < 10; calls += 1) {
        const responded: string[] = [];
        await client.call(callOf('x', { preferred: url, onInstance: (instance) => responded.push(instance) }));
        expect(responded).toEqual([url]);
      }
  });
});

test('a host name with several addresses is several instances, and is resolved again', async () => {
  const first = await openFrames({ host: '127.0.0.2' });
  const second = await openFrames({ host: '127.0.0.3', port: first.port });
  const third = await openFrames({ host: '127.0.0.4', port: first.port });
  let addresses = ['127.0.0.2', '127.0.0.3'];
  const resolve: ResolveHost = () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
  const client = frameClient(`http://areas.test:${first.port}`, resolve);
  await callAll(client, [first, second]);
  expect(third.executed).toEqual([]);
  addresses = ['127.0.0.3', '127.0.0.4'];
  first.crash();
  await callAll(client, [third]);
});

describe('signed requests to a list of addresses', () => {
  const call = { path: '/graphql', subject: 'me', payload: {}, mutation: false, requestId: 'r' };
  const openPeer = (url: readonly string[]) => {
    const peer = createPeer({ name: 'The other', url, key: edgeKey, deadlineMs: 5_000 });
    closings.push(() => peer.close());
    return peer;
  };

  test('are distributed, and the instance that responded is reported', async () => {
    const servers = [await openHttp((_, response) => response.end('1')), await openHttp((_, response) => response.end('2'))];
    const peer = openPeer(servers.map(({ url }) => url));
    const responses = await Promise.all(times(40, () => peer.post(call)));
    expect(new Set(responses.map(({ body }) => body))).toEqual(new Set([1, 2]));
    for (const { body, instance } of responses) expect(instance).toBe(servers[Number(body) - 1]?.url);
  });

  test('go to another instance if the connection is refused, also a mutation', async () => {
    const { url } = await openHttp((_, response) => response.end('1'));
    const peer = openPeer([unused, url]);
    for (let calls = 0; calls < 10; calls += 1) expect(await peer.post({ ...call, mutation: true })).toMatchObject({ body: 1 });
  });

  test('go to another instance if the connection is lost and the call is a query', async () => {
    let lost = 0;
    const broken = await openHttp((request) => {
      lost += 1;
      request.socket.destroy();
    });
    const { url } = await openHttp((_, response) => response.end('1'));
    const peer = openPeer([broken.url, url]);
    for (let calls = 0; calls < 12; calls += 1) expect(await peer.post(call)).toMatchObject({ body: 1 });
    const before = lost;
    const results = await Promise.allSettled(times(12, () => peer.post({ ...call, mutation: true })));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(lost - before);
  });
});

test('requests of node:http go to another instance if the connection is refused', async () => {
  const { url } = await openHttp((_, response) => response.end());
  const agents = createInstanceAgents([unused, url], {});
  closings.push(() => agents.close());
  for (let calls = 0; calls < 10; calls += 1) {
    const send = ({ request }: InstanceAgent): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const outgoing = request('/', {});
        outgoing.once('response', (response) => resolve(response.resume().statusCode));
        outgoing.once('error', reject);
        outgoing.end();
      });
    expect(await agents.run({ send, mayRepeat: () => false })).toBe(200);
  }
});
