/** Framed connections against callers without the key, and against changes on the way. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { offerHeaders, verifyAcceptance } from '../../platform/frames/handshake.ts';
import { createRecordReader, createRecordWriter, type Frame } from '../../platform/frames/record.ts';
import { sign } from '../../platform/security/signature.ts';
import { eventually } from '../eventually.ts';
import { callOf, createClient, edgeKey, offer, startProxy, startServer, type TestServer } from './frame-server.ts';

const key = Buffer.alloc(32, 5);
const frame = (body: string): Frame => ({ type: 1, id: 7, body });
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
async function open(): Promise<TestServer> {
  const server = await startServer();
  opened.push(server.crash);
  return server;
}

describe('a handshake', () => {
  const signed = { method: 'GET', path: '/frames', subject: 'frames', body: '', mutation: true };
  const upgrade = { connection: 'Upgrade', upgrade: 'platform-frames/1' };
  test.each([
    ['without a signature', () => upgrade, 'no signature'],
    ['with another key', () => offerHeaders(key), 'another key'],
    [
      'that is too old',
      () => ({ ...sign({ key: edgeKey, ...signed }, Date.now() - 61_000), ...upgrade }),
      'synchronize the clocks',
    ],
    [
      'that was signed for another path',
      () => ({ ...sign({ key: edgeKey, ...signed, path: '/graphql' }), ...upgrade }),
      'another key',
    ],
  ])('%s is rejected with a reason in the log only', async (_, headers, reason) => {
    const server = await open();
    expect((await offer(server.url, headers())).status).toBe(403);
    expect(server.log.join('')).toContain(reason);
  });

  test('is accepted once', async () => {
    const server = await open();
    const headers = offerHeaders(edgeKey);
    expect((await offer(server.url, headers)).status).toBe(101);
    expect((await offer(server.url, headers)).status).toBe(403);
    expect(server.log.join('')).toContain('replayed call');
  });

  test('that is replayed to another process opens a connection on which nothing can be sent', async () => {
    const server = await open();
    const { socket } = await offer(server.url, offerHeaders(edgeKey));
    const write = createRecordWriter(key);
    for (const record of write([{ type: 7, id: 0, body: '' }])) socket?.write(record);
    if (socket !== null) await once(socket, 'close');
    expect(server.executed).toEqual([]);
  });

  test('without the keys buffers little: a long first record is rejected at its length', async () => {
    const server = await open();
    const { socket } = await offer(server.url, offerHeaders(edgeKey));
    socket?.write(Buffer.from([0, 1, 0, 0]));
    if (socket !== null) await once(socket, 'close');
    expect(server.log.join('')).toContain('exceeds the limit of 64 bytes');
  });

  test('of a server without the key is rejected by the client, which sends nothing', async () => {
    const server = await startServer({ key });
    opened.push(server.crash);
    // a server that accepts any client, but cannot prove the key
    const imposter = await startProxy(server.port, (chunk, index) => {
      const headers = Object.entries(offerHeaders(key)).map(([name, value]) => `${name}: ${value}\r\n`);
      return index === 0 ? [Buffer.from(`GET /frames HTTP/1.1\r\nhost: x\r\n${headers.join('')}\r\n`)] : [chunk];
    });
    opened.push(imposter.close);
    const client = createClient(imposter.url);
    opened.push(client.close);
    await expect(client.call(callOf('secret'))).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(server.executed).toEqual([]);
  });
});

describe('records', () => {
  const read = (records: readonly Buffer[], limits = { maxBytes: 1_000, firstMaxBytes: 1_000 }): string[] => {
    const bodies: string[] = [];
    const reader = createRecordReader({ key, ...limits, onFrame: ({ body }) => void bodies.push(body) });
    for (const record of records) reader.push(record);
    return bodies;
  };
  const write = () => {
    const writer = createRecordWriter(key);
    return ['one', 'two', 'three'].flatMap((body) => writer([frame(body), frame(`${body}!`)]));
  };

  test('are read in any pieces', () => {
    const whole = Buffer.concat(write());
    const expected = ['one', 'one!', 'two', 'two!', 'three', 'three!'];
    expect(read([whole])).toEqual(expected);
    expect(read([...whole].map((byte) => Buffer.from([byte])))).toEqual(expected);
    expect(read([whole.subarray(0, 50), whole.subarray(50)])).toEqual(expected);
  });

  test.each([
    ['repeated', ([one]: Buffer[]) => [one, one]],
    ['reordered', ([one, two]: Buffer[]) => [two, one]],
    ['omitted', ([one, , three]: Buffer[]) => [one, three]],
  ])('cannot be %s', (_, change) => {
    expect(() => read(change(write()).filter((record) => record !== undefined))).toThrow();
  });

  test('cannot be changed in any byte', () => {
    const [record = Buffer.alloc(0)] = write();
    for (let index = 4; index < record.length; index += 1) {
      const changed = Buffer.from(record);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => read([changed])).toThrow();
    }
  });

  test('cannot be longer than the limit, and are rejected before they are received', () => {
    expect(() => read([Buffer.from([0, 0, 4, 0])])).toThrow('exceeds the limit');
  });
});

test('a record that is changed on the way closes the connection, and nothing is executed', async () => {
  const server = await open();
  const proxy = await startProxy(server.port, (chunk) => {
    const at = chunk.indexOf('delete 1');
    if (at >= 0) chunk.write('delete 2', at);
    return [chunk];
  });
  opened.push(proxy.close);
  const client = createClient(proxy.url);
  opened.push(client.close);
  await expect(client.call(callOf('delete 1', { mutation: true }))).rejects.toMatchObject({
    code: 'upstream_unavailable',
  });
  expect(server.executed).toEqual([]);
});

test('a record that is sent twice on the way is executed once', async () => {
  const server = await open();
  const proxy = await startProxy(server.port, (chunk) => (chunk.includes('pay 10') ? [chunk, chunk] : [chunk]));
  opened.push(proxy.close);
  const client = createClient(proxy.url);
  opened.push(client.close);
  await client.call(callOf('pay 10', { mutation: true })).catch(() => undefined);
  expect(server.executed).toEqual(['pay 10']);
});

test('a client that does not read its responses is not served any further until it does', async () => {
  const server = await open();
  server.respond = () => 'x'.repeat(1024 * 1024);
  const offered = offerHeaders(edgeKey);
  const { socket, headers } = await offer(server.url, offered);
  const keys = verifyAcceptance(edgeKey, offered, headers);
  if (socket === null || keys === null) throw new Error('The handshake failed.');
  socket.pause();
  const write = createRecordWriter(keys.client);
  const send = (type: number, id: number): void => void socket.write(write([{ type, id, body: String(id) }])[0] ?? '');
  send(7, 0);
  for (let id = 1; id <= 100; id += 1) {
    send(1, id);
    await sleep(5);
  }
  expect(server.executed.length).toBeLessThan(50);
  socket.resume();
  await eventually(() => Promise.resolve(expect(server.executed).toHaveLength(100)));
  socket.destroy();
});
