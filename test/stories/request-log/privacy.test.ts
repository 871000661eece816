/** The request log has no personal data: no body, no query value, no e-mail address, no name and no full address. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
let database: pg.Client;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account();
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

const tables = ['request_log', 'request_operation', 'request_error', 'request_operation_name'];
const personal = ['Zephyrine', 'Quillfeather', 'zephyrine@example.com', '2009-03-07', '+4915112345678', 'Blauweg 7'];

test('values of bodies, queries, paths, headers and variables are in no table of the log', async () => {
  const [first = '', last = '', email = '', birth = '', phone = '', street = ''] = personal;
  const athlete = { displayName: `${first} ${last}`, dateOfBirth: birth, sex: 'FEMALE', nationalities: ['DE'], sports: [] };
  const encoded = encodeURIComponent(email);
  const responses = await Promise.all([
    owner.post('/athletes', { ...athlete, sports: [{ sport: 'FOOTBALL', positions: ['ST'] }] }),
    owner.post('/athletes', { ...athlete, [email]: phone, notes: street }),
    owner.post('/organizations', { type: 'CLUB', name: email, country: street }, { 'idempotency-key': email }),
    owner.get(`/athletes?q=${first}&${encoded}=${encoded}`),
    owner.get(`/search?q=${encodeURIComponent(`${first} ${last}`)}`),
    owner.get(`/athletes/${encoded}`),
    owner.get(`/athletes/${first}-${last}/statistics`),
    owner.get(`/people/${encodeURIComponent(phone)}/${encodeURIComponent(street)}/${birth}`),
    owner.get('/organizations', { 'user-agent': `crawler/1.0 (+mailto:${email})`, referer: `https://example.com/${first}` }),
    owner.get('/organizations', { 'x-request-id': `${first} ${email}` }),
    owner.graphql('query Find($q: String) { athletes(filter: { q: $q }) { nodes { id } } }', { q: `${first} ${last}` }),
    owner.graphql(`{ athletes(filter: { q: "${email}" }) { nodes { id } } }`),
    owner.graphql('mutation ($input: CreateAthleteInput!) { createAthlete(input: $input) { id } }', {
      input: { ...athlete, [email]: 1 },
    }),
  ]);
  await platform.flushUsage();
  const logged = await database.query<{ requests: string }>('select count(*) as requests from accounts.request_log');
  expect(Number(logged.rows[0]?.requests)).toBe(responses.length);
  for (const table of tables) {
    const { rows } = await database.query<{ text: string }>(`select lower(each::text) as text from accounts.${table} each`);
    const text = rows.map((row) => row.text).join('\n');
    for (const value of [...personal, encoded, encodeURIComponent(street), '127.0.0.1', '"::1"'])
      expect({ table, value, isStored: text.includes(value.toLowerCase()) }).toEqual({ table, value, isStored: false });
  }
  const { rows } = await database.query<{ network: string; bits: number }>(
    'select distinct network::text as network, masklen(network) as bits from accounts.request_log',
  );
  for (const { bits } of rows) expect([24, 48]).toContain(bits);
});

test('paths keep words of routes and IDs only, and user agents at most 200 characters', async () => {
  const id = '0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11';
  await owner.get(`/athletes/${id}/statistics`, { 'user-agent': 'a'.repeat(1000) });
  await owner.get(`/athletes/${'x'.repeat(90)}`);
  await owner.get(`/${'athletes/'.repeat(100)}`);
  await platform.flushUsage();
  const { rows } = await database.query<{ path: string; agent: string | null }>(
    'select path, user_agent as agent from accounts.request_log order by at desc, id desc limit 3',
  );
  expect(rows.map(({ path }) => path)).toEqual([
    `/api/v1${'/athletes'.repeat(9)}`,
    '/api/v1/athletes/*',
    `/api/v1/athletes/${id}/statistics`,
  ]);
  expect(rows[2]?.agent).toBe('a'.repeat(200));
});

test('keys, other secrets and addresses of any spelling are in no row of the log', async () => {
  const { key } = await platform.account();
  const [publicId = '', secret = ''] = key.split('.');
  const token = 'A'.repeat(43);
  const webhookSecret = `whsec_${'c2Vj'.repeat(11)}`;
  const responses = await Promise.all([
    owner.get(`/organizations?${key}=1`),
    owner.get(`/organizations?${secret}=1`),
    owner.get(`/organizations?${token}=1`),
    owner.get(`/organizations?${webhookSecret}=1`),
    owner.post('/organizations', { [key]: 1, [webhookSecret]: 2 }),
    owner.get('/organizations', { 'user-agent': `client/1.0 (${key}; ${webhookSecret})` }),
    owner.get('/organizations', { 'user-agent': `${'x'.repeat(150)} ${key}` }),
    owner.get('/organizations', { 'user-agent': 'crawler (grace%40example.com; mailto:grace@example.com)' }),
    owner.get('/organizations', { 'user-agent': `${'x'.repeat(193)} grace@example.com` }),
    owner.get('/organizations', { 'x-request-id': key }),
    owner.get(`/${key}`),
  ]);
  expect(responses[9].headers.get('x-request-id')).not.toContain('sp_');
  await platform.flushUsage();
  for (const table of tables) {
    const { rows } = await database.query<{ text: string }>(`select each::text as text from accounts.${table} each`);
    const text = rows.map((row) => row.text).join('\n');
    for (const value of [key, secret.slice(0, 20), token, 'whsec_', publicId, 'grace'])
      expect({ table, value, isStored: text.includes(value) }).toEqual({ table, value, isStored: false });
  }
});
