/** An import while the server is killed (SIGKILL) five times: the database ends up with the contents of the files, once. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient } from '../client.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { waitForSuccess, freePort } from '../../commands/local-process.ts';
import { runImporter } from './run-importer.ts';

const root = join(import.meta.dirname, '../..');
const kills = 5;
const clubCount = 400;
const nations = 'GER ESP FRA BRA ARG ENG POR NED BEL CRO'.split(' ');
const positions = ['GK', 'DF', 'MF', 'FW'];

const clubs = Array.from(
  { length: clubCount },
  (_, index) =>
    `Club No. ${index},${['de', 'es', 'fr', 'eng'][index % 4] ?? 'de'},${1880 + (index % 120)},Ground ${index},Town ${index},Alias ${index}`,
);
const squads = nations.map((code) => ({
  name: code,
  fifa_code: code,
  players: Array.from({ length: 26 }, (_, index) => ({
    number: index + 1,
    pos: positions[index % 4],
    name: `Player ${code} ${index}`,
    date_of_birth: `19${90 + (index % 10)}-0${1 + (index % 9)}-1${index % 10}`,
  })),
}));
const expected = { organization: clubCount, team: squads.length, athlete: squads.length * 26, membership: squads.length * 26 };

let database: ClonedDatabase;
let owner: pg.Pool;
let folder: string;
let environment: NodeJS.ProcessEnv;
let server: ChildProcess | null = null;
let url: string;

beforeAll(async () => {
  database = await cloneDatabase();
  owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
  folder = await mkdtemp(join(tmpdir(), 'import-'));
  await writeFile(join(folder, 'clubs.csv'), ['name,country_file,founded,stadium,city,aliases', ...clubs].join('\n'));
  await writeFile(join(folder, 'squads.json'), JSON.stringify(squads));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  environment = {
    PATH: process.env.PATH,
    DATABASE_URL: database.ownerUrl,
    SECRET: process.env.TEST_SECRET,
    HOST: '127.0.0.1',
    PORT: String(port),
    SEED: 'none',
    LOG_LEVEL: 'fatal',
  };
});

afterAll(async () => {
  await kill();
  await owner.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = spawn(process.execPath, ['main.ts'], { cwd: root, env: environment, stdio: ['ignore', 'inherit', 'inherit'] });
  await waitForSuccess(`${url}/ready`, server);
}

async function kill(): Promise<void> {
  const child = server;
  server = null;
  if (!child || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function count(statement: string): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(`select (${statement})::int as count`);
  return rows[0]?.count ?? -1;
}

const written = 'select count(*) from organizations.history) + (select count(*) from athletes.history';

/** Kills at random moments during the import: a little after a number of rows is committed. */
async function killAndRestart(isOver: () => boolean): Promise<number> {
  const total = Object.values(expected).reduce((sum, each) => sum + each);
  const moments = Array.from({ length: kills }, (_, index) => ((index + Math.random() * 0.8) / kills) * total);
  let done = 0;
  for (const moment of moments) {
    while (!isOver() && (await count(written)) < moment) await sleep(20);
    if (isOver()) break;
    await sleep(Math.random() * 60);
    await kill();
    done += 1;
    await start();
  }
  return done;
}

async function issueKey(): Promise<string> {
  const args = [
    'commands/keys.ts',
    'issue',
    '--account',
    'Import',
    '--plan',
    'enterprise',
    '--scopes',
    'athletes:write,organizations:write',
    '--quiet',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env: environment });
  return stdout.trim();
}

test('five SIGKILLs lose nothing and write nothing twice', async () => {
  await start();
  const key = await issueKey();
  let isOver = false;
  const importing = (async () => {
    for (const [source, file] of [
      ['clubs', 'clubs.csv'],
      ['squads', 'squads.json'],
    ] as const) {
      for (let attempt = 1; ; attempt += 1) {
        const run = await runImporter([source, join(folder, file), '--url', url, '--batch-size', '40'], { API_KEY: key });
        if (run.code === 0) break;
        if (attempt === 10) throw new Error(`${run.out}\n${run.err}`);
      }
    }
  })().finally(() => {
    isOver = true;
  });
  const [done] = await Promise.all([killAndRestart(() => isOver), importing]);
  expect(done).toBe(kills);

  for (const type of ['organization', 'team', 'athlete', 'membership'] as const) {
    const area = type === 'athlete' ? 'athletes' : 'organizations';
    const rows = expected[type];
    const ids = `${area}.external_id where resource_type = '${type}'`;
    // Created, plus the importer's transition to ACTIVE where there is one.
    const history = type === 'organization' || type === 'athlete' ? 2 * rows : rows;
    const facts = {
      rows: await count(`select count(*) from ${area}.${type}`),
      versions: await count(`select max(version) from ${area}.${type}`),
      externalIds: await count(`select count(distinct (scheme, value)) from ${ids}`),
      named: await count(`select count(distinct resource_id) from ${ids} and resource_id in (select id from ${area}.${type})`),
      created: await count(
        `select count(distinct resource_id) from ${area}.history where resource_type = '${type}' and action = 'created'`,
      ),
      history: await count(`select count(*) from ${area}.history where resource_type = '${type}'`),
      events: await count(`select count(*) from ${area}.outbox where resource_type = '${type}'`),
    };
    expect({ type, ...facts }).toEqual({
      type,
      rows,
      versions: 1,
      externalIds: rows,
      named: rows,
      created: rows,
      history,
      events: rows,
    });
  }
  const names = await owner.query<{ name: string }>('select name from organizations.organization order by name');
  expect(names.rows.map(({ name }) => name)).toEqual(clubs.map((line) => line.split(',')[0]).toSorted());

  await eventually(async () => {
    for (const area of ['organizations', 'athletes']) {
      const gaps = `select count(*) filter (where position is null) + coalesce(max(position), 0) - count(*) from ${area}.outbox`;
      expect(await count(gaps)).toBe(0);
    }
    expect(await count('select count(*) from athletes.membership')).toBe(expected.membership);
    expect(await count('select count(*) from athletes.organization_account')).toBe(expected.organization);
  });

  // The relay of the last server continues where the killed ones stopped: new writes are projected too.
  const client = createClient({ restUrl: url, graphqlUrl: url, key });
  const [club, athlete] = await Promise.all([client.get('/organizations?limit=1'), client.get('/athletes?limit=1')]);
  const organizationId: string = club.body.data[0].id;
  const joined = await client.post('/organizations/memberships', {
    personType: 'ATHLETE',
    personId: athlete.body.data[0].id,
    organizationId,
    role: 'PLAYER',
  });
  expect(joined.status).toBe(201);
  await eventually(async () => {
    const members = await client.get(`/athletes?organizationId=${organizationId}`);
    expect(members.body.data.map((each: { id: string }) => each.id)).toEqual([athlete.body.data[0].id]);
  });
}, 400_000);
