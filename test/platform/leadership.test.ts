/** Leader election: one session and one lease for all loops of a process, on a real PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { relayRole } from '../../platform/database/roles.ts';
import { createLeadership, type Leadership } from '../../platform/events/leadership.ts';
import type { Loop } from '../../platform/events/leader-loop.ts';
import { createLog } from '../../platform/log.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';

let lines: string[] = [];
const log = createLog({ name: 'test', level: 'info', destination: { write: (line: string) => void lines.push(line) } });
let clone: ClonedDatabase;
let owner: pg.Client;
let leadership: Leadership;
let statements: string[] = [];
const passes = new Map<string, number>();
const loops: Loop[] = [];

beforeAll(async () => {
  clone = await cloneDatabase();
  owner = new pg.Client({ connectionString: clone.ownerUrl });
  await owner.connect();
});
beforeEach(() => {
  statements = [];
  lines = [];
  passes.clear();
  const onStatement = (text: string): unknown => statements.push(text);
  leadership = createLeadership({ url: clone.urlAs(relayRole), areas: ['athletes'], log, onStatement });
});
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.close();
  await leadership.close();
});
afterAll(async () => {
  await owner.end();
  await clone.drop();
});

/** Runs a loop that listens to the channel of its name. */
function open(name: string, pollMs?: number): void {
  const pass = (): Promise<number> => {
    passes.set(name, passesOf(name) + 1);
    return Promise.resolve(Infinity);
  };
  loops.push(leadership.run({ name, channels: [name], onElected: () => undefined, pass, pollMs }));
}
const passesOf = (name: string): number => passes.get(name) ?? 0;
const untilPasses = (name: string, count: number) =>
  eventually(() => Promise.resolve(expect(passesOf(name)).toBeGreaterThanOrEqual(count)));
const notify = (channel: string) => owner.query('select pg_notify($1, $2)', [channel, '']);
const sessions = "from pg_stat_activity where application_name = 'leader' and datname = current_database()";

test('the loops of a process share one lease and one session, and wake up by their own channels', async () => {
  open('first');
  await untilPasses('first', 1);
  // operators search it at the default level
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: 'leader elected', area: 'athletes' }),
  );
  // at once, and after the open session listens to its channel
  open('second');
  await untilPasses('second', 2);
  const [first, before] = [passesOf('first'), statements.length];
  await notify('second');
  await untilPasses('second', 3);
  expect(passesOf('first')).toBe(first);
  expect(statements.length - before).toBeLessThanOrEqual(2);
  expect((await owner.query(`select ${sessions}`)).rowCount).toBe(1);
});

test('a leader that loses its session stays the leader and receives notifications again', async () => {
  open('first');
  await untilPasses('first', 1);
  expect((await owner.query(`select pg_terminate_backend(pid, 1000) ${sessions}`)).rowCount).toBe(1);
  expect(leadership.isHeld()).toBe(true);
  // the session that replaces it: notifications may have been missed
  await untilPasses('first', 2);
  const before = passesOf('first');
  await notify('first');
  await untilPasses('first', before + 1);
});

test('a leader whose database was replaced by another one is elected again, so that its loops forget what they read', async () => {
  let elections = 0;
  const pass = (): Promise<number> => Promise.resolve(Infinity);
  loops.push(leadership.run({ name: 'counting', channels: [], onElected: () => void (elections += 1), pass }));
  await eventually(() => Promise.resolve(expect(elections).toBe(1)));
  // another database has no lease
  await owner.query('delete from athletes.relay_lease');
  await eventually(() => Promise.resolve(expect(elections).toBe(2)));
});

test('a loop without polls starts a pass for an election and a notification only', async () => {
  open('rare', Infinity);
  await untilPasses('rare', 1);
  await sleep(300);
  expect(passesOf('rare')).toBe(1);
  await notify('rare');
  await untilPasses('rare', 2);
});
