/** Runs the README's tour and the guides to competitions and minors block by block against a real platform, and checks all links. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readText, root } from './architecture/source.ts';
import { eventually } from './eventually.ts';
import { blocks, lostLinks, pages, section } from './pages.ts';
import { endWithThisProcess, freePort } from '../commands/local-process.ts';

const tour = blocks(section('README.md', 'A five-minute tour'), 'sh');
const guide = blocks(readText('docs/competitions.md'), 'sh');
const minors = blocks(readText('docs/minors.md'), 'sh');
const mark = '----- next block';

let folder: string;
let platform: ChildProcess;
/** The output of each block of the tour. */
let printed: readonly string[];
/** The output of each block of docs/competitions.md. */
let guided: readonly string[];
/** The output of each block of docs/minors.md. */
let guarded: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talent-readme-'));
  // started by root, PostgreSQL runs as another account, which must be able to enter the folder
  await chmod(folder, 0o711);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const { DATABASE_URL: _, SECRET: __, ...inherited } = process.env;
  const environment = { ...inherited, DATA_DIRECTORY: join(folder, '.data'), LOG_LEVEL: 'error' };
  platform = endWithThisProcess(
    spawn(process.execPath, ['main.ts'], {
      cwd: root,
      env: { ...environment, PORT: String(port), HOST: '127.0.0.1', SEED: '400' },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
    'SIGTERM',
  );
  await eventually(async () => expect((await fetch(`${base}/ready`)).status).toBe(200), 240_000);
  // like an interactive shell, except that it stops at the first error
  const paste = async (page: readonly string[]): Promise<string[]> => {
    const script = ['set -e', ...page.flatMap((block) => [block, `echo '${mark}'`])].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root, env: { ...environment, BASE: base } });
    return stdout.split(mark);
  };
  printed = await paste(tour);
  guided = await paste(guide);
  guarded = await paste(minors);
}, 600_000);

afterAll(async () => {
  if (platform.exitCode === null) {
    const ended = once(platform, 'exit');
    platform.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

/** The JSON objects in the output of a block, one per line. */
const responses = (block: number, of: readonly string[] = printed): Record<string, unknown>[] =>
  (of[block] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the tour', () => {
  test('every block runs to its end', () => expect(printed).toHaveLength(tour.length + 1));

  test('a read needs no key and returns the remaining quota', () => {
    expect(printed[0]).toMatch(/^HTTP\/1.1 200 OK/);
    expect(printed[0]).toMatch(/^ratelimit-policy: "burst";q=60;w=60, "day";q=1000;w=86400, "month";q=10000/im);
  });

  test('a list is filtered and joined, and its cursor returns other items', () => {
    const [first, second] = responses(1) as { data: Record<string, unknown>[] }[];
    expect(first?.data).toHaveLength(2);
    expect(Object.keys(first?.data[0] ?? {})).toEqual(['id', 'displayName', 'age', 'organization']);
    expect(second?.data).toHaveLength(2);
    const ids = [first, second].flatMap((page) => page?.data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
  });

  test('an issued key reads its account and plan', () => {
    expect(responses(2)).toMatchObject([{ account: { name: 'FC Example' }, plan: { code: 'starter' } }]);
  });

  test('an organization, a team, an athlete and a membership are created, and one query returns them', () => {
    expect(responses(3)).toMatchObject([
      { athlete: { displayName: 'Lena Weber' }, team: { name: 'First team' }, shirtNumber: 9 },
    ]);
    const member = { shirtNumber: 9, athlete: { displayName: 'Lena Weber' } };
    expect(responses(4)).toMatchObject([
      {
        data: { organization: { name: 'FC Example', teams: { nodes: [{ name: 'First team', members: { nodes: [member] } }] } } },
      },
    ]);
  });

  test('the second change of the same version is rejected', () => {
    expect(printed[5]).toMatch(/^etag: "1-/im);
    expect(responses(5)).toMatchObject([
      { version: 2, heightCm: 174 },
      { code: 'precondition_failed', status: 412 },
    ]);
  });

  test('a repeated write is replayed', () => {
    const locations = [...(printed[6] ?? '').matchAll(/^location: (.+)$/gim)].map(([, location]) => location);
    expect(locations).toHaveLength(2);
    expect(new Set(locations).size).toBe(1);
    expect(printed[6]?.match(/^idempotent-replayed: true/gim)).toHaveLength(1);
  });

  test('errors list every violation', () => {
    const [faulty, keyless, misspelled] = responses(7);
    expect(faulty).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(faulty?.['errors']).toHaveLength(5);
    expect(keyless).toMatchObject({ status: 401, code: 'api_key_missing' });
    expect(misspelled).toMatchObject({ status: 400, code: 'unknown_parameter', detail: expect.stringContaining('sport') });
  });

  test('a table has places and tie-breaks', () => {
    const [table] = responses(8) as { data: Record<string, unknown>[] }[];
    expect(table?.data).toHaveLength(5);
    expect(table?.data[0]).toMatchObject({ position: 1, participant: { type: 'TEAM', name: expect.any(String) } });
    const points = table?.data.map((row) => row['points']) ?? [];
    for (const row of table?.data ?? []) {
      const level = points.filter((each) => each === row['points']).length > 1;
      if (level) expect(row).toMatchObject({ tieBreak: { criterion: expect.any(String), chain: expect.any(Array) } });
    }
  });

  test('the burst limit rejects further requests', () => {
    const [usage, problem] = responses(9);
    expect(usage).toMatchObject({ day: { limit: 10_000 }, month: { limit: 150_000 } });
    expect(printed[9]).toMatch(/^ +\d+ HTTP\/1.1 200/m);
    expect(printed[9]).toMatch(/^ +\d+ HTTP\/1.1 429/m);
    expect(printed[9]).toMatch(/retry-after: \d/i);
    expect(problem).toMatchObject({ status: 429, code: 'rate_limited', plan: 'free', 'violated-policies': ['burst'] });
  });
});

describe('the guide to competitions', () => {
  test('is accepted as written; only the season with open matches cannot be finished', () => {
    expect(guided).toHaveLength(guide.length + 1);
    const all = guide.flatMap((_, block) => responses(block, guided));
    expect(all.filter(({ code, title }) => code !== undefined && title !== undefined)).toEqual([
      expect.objectContaining({ status: 409, code: 'invalid_transition', openMatches: 2 }),
    ]);
    expect(JSON.stringify(all)).not.toContain('"outcome":"FAILED"');
  });

  test('ends in a table, a bracket, an order by mark and a classification', () => {
    const rankings = guide
      .flatMap((_, block) => responses(block, guided))
      .filter(({ data, page }) => Array.isArray(data) && page);
    const leaders = rankings
      .map(({ data }) => (data as { position?: number }[])[0]?.position)
      .filter((place) => place !== undefined);
    expect(leaders).toEqual([1, 1, 1, 1, 1, 1]);
    const brackets = guide.flatMap((_, block) => responses(block, guided)).filter(({ rounds }) => rounds !== undefined);
    expect(brackets).toMatchObject([
      { rounds: [{ ties: [{ decidedBy: 'PENALTY_SHOOTOUT' }, { advanced: null }] }, { name: 'Final' }] },
    ]);
  });
});

describe('the guide to minors', () => {
  test('returns the restricted profile, the consented fields, and 404 after the withdrawal', () => {
    expect(guarded).toHaveLength(minors.length + 1);
    expect(responses(1, guarded)).toMatchObject([{ status: 'ACTIVE', displayName: 'Juno Dale' }]);
    const [restricted, consented, log] = responses(2, guarded);
    expect(restricted).toMatchObject({ restricted: true, displayName: 'J. D.', residence: { country: 'FR', city: null } });
    expect(consented).toMatchObject({ restricted: false, displayName: 'Juno Dale', residence: { city: 'Lyon' } });
    expect(log).toMatchObject({ data: [{ reads: 1, scopes: ['CONTACT', 'PROFILE'] }] });
    expect(responses(3, guarded)).toMatchObject([{ effective: false }, { status: 404, code: 'not_found' }]);
  });
});

test('all links of pages lead to existing files and headings', () => expect(pages.flatMap(lostLinks)).toEqual([]));
