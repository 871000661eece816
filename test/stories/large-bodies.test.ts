/** What is wrong at great length costs little: neither time nor a long answer. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let owner: Client;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account();
  // validators are compiled at first use
  await owner.post('/athletes', { colour: 'red' });
  await owner.post('/athletes/batch', { items: [{ colour: 'red' }] });
});
afterAll(() => world.close());

const athlete = { displayName: 'Long', sex: 'MALE', nationalities: ['DE'], birthYear: 1995, sports: [{ sport: 'FOOTBALL' }] };
const unknown = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index.toString(36)}xxxx`, 1]));
const sizeOf = ({ body }: Answer): number => JSON.stringify(body).length;

/** Unbounded these took 19 s to 76 s; bounded, tenths of one, and seconds where the tests' own heap is collected meanwhile. */
const stalledMs = 10_000;

/** What it does to the thread of both sides, in milliseconds. */
async function timed(ask: () => Promise<Answer>): Promise<{ answer: Answer; spentMs: number }> {
  const before = process.cpuUsage();
  const answer = await ask();
  const { user, system } = process.cpuUsage(before);
  return { answer, spentMs: (user + system) / 1_000 };
}

describe('a body', () => {
  test.each([
    ['70,000 unknown members', unknown(70_000)],
    ['200,000 wrong countries', { ...athlete, nationalities: Array(200_000).fill('x') }],
    ['100,000 empty sports', { ...athlete, sports: Array(100_000).fill({}) }],
    ['a name of 900,000 letters', { ...athlete, ['x'.repeat(900_000)]: 1 }],
    ['1,000 unknown members', unknown(1_000)],
  ])('of %s is refused at once and in short', async (_, body) => {
    const { answer, spentMs } = await timed(() => owner.post('/athletes', body));
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(sizeOf(answer)).toBeLessThan(64 * 1024);
    expect(spentMs).toBeLessThan(stalledMs);
  });

  test('of 1,000 faults tells fifty, and that there are more', async () => {
    const { body } = await owner.post('/athletes', unknown(1_000));
    expect(body.errors).toHaveLength(51);
    expect(body.errors[50]).toMatchObject({ pointer: '', code: 'more_faults' });
  });
});

test('a batch of 500 items with 900 unknown members each tells the faults of the first', async () => {
  const items = Array.from({ length: 500 }, () => unknown(900));
  const { answer, spentMs } = await timed(() => owner.post('/athletes/batch', { items }));
  expect(answer).toMatchObject({ status: 200, body: { summary: { failed: 500 } } });
  const { data } = answer.body;
  expect(data[0].error.errors).toHaveLength(51);
  expect(data[499].error.errors).toEqual([{ pointer: expect.any(String), code: expect.any(String), detail: expect.any(String) }]);
  expect(sizeOf(answer)).toBeLessThan(192 * 1024);
  expect(spentMs).toBeLessThan(stalledMs);
});

test('a query of 2,500 unknown parameters is refused in short', async () => {
  const { answer, spentMs } = await timed(() =>
    owner.get(`/athletes?${Array.from({ length: 2_500 }, (_, index) => `p${index}`).join('&')}`),
  );
  expect(answer.status).toBe(400);
  expect(sizeOf(answer)).toBeLessThan(64 * 1024);
  expect(spentMs).toBeLessThan(stalledMs);
});

test.each(['gzip', 'br', 'deflate', 'zstd', 'foo', 'gzip, gzip'])('a body in %s is 415, whatever it holds', async (encoding) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  for (const body of ['{}', gzipSync(JSON.stringify(athlete))]) {
    const answer = await owner.send('/athletes', { method: 'POST', headers, body });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    expect(answer.body.detail).toContain('without Content-Encoding');
    expect(answer.headers.get('accept-encoding')).toBe('identity');
  }
});

test('the next page is of the same query, whatever it holds', async () => {
  for (const name of ['Why? One', 'Why? Two'])
    expect((await owner.post('/athletes', { ...athlete, displayName: name })).status).toBe(201);
  const path = '/api/v1/athletes?q=Why?&sex=MALE&mine=true&limit=1';
  const { headers, status } = await owner.get(path);
  expect(status).toBe(200);
  expect(headers.get('link')).toContain(`<${path}&cursor=`);
});
