/** `npm run bench -- --dashboard`: the queries of the dashboard's pages with many keys, for one administrator. */
import pg from 'pg';
import { openAccounts, type BenchDatabase } from './database.ts';
import { timed, type Latency } from './latency.ts';
import type { OpenContender } from './open.ts';

/** The number of rows, and how often each query is sent. */
export interface DashboardSize {
  readonly keys: number;
  readonly accounts: number;
  readonly reads: number;
}

const fullSize: DashboardSize = { keys: 100_000, accounts: 10_000, reads: 60 };
const targetMs = 200;

const id = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

/** Keys of accounts with names in which some words are frequent, and a day of requests of each. */
export const statementsOf = ({ keys, accounts }: Pick<DashboardSize, 'keys' | 'accounts'>): string[] => [
  `insert into accounts.account (id, name)
   select ${id('i')}, left(md5(i::text), 8) || ' ' || (array['Red', 'Blue', 'Green', 'Zürich', 'Old'])[1 + i % 5] || ' Eagles'
   from generate_series(1, ${accounts}) i`,
  `insert into accounts.api_key (id, public_id, name, account_id, plan_code, plan_version, hash, pepper_version, quota_subject_id, created_by, created_at)
   select ${id('i')}, 'sp_live_' || lpad(i::text, 12, '0'), left(md5(i::text), 6) || (array[' production', ' staging', ' import'])[1 + i % 3],
     ${id(`1 + i % ${accounts}`)}, 'pro', 1, sha256(i::text::bytea), 1, ${id('i')}, 'bench', now() - random() * interval '900 days'
   from generate_series(1, ${keys}) i`,
  `insert into accounts.usage (granularity, starts_at, quota_subject_id, account_id, public_id, plan_code, area, status_class, requests, units)
   select g, date_trunc(lower(g), now(), 'UTC'), quota_subject_id, account_id, public_id, 'pro', 'athletes', 2, 960, 960
   from accounts.api_key, unnest(array['HOUR', 'DAY']) g where created_by = 'bench'`,
  `insert into accounts.subject_usage
   select uuid_send(quota_subject_id), (now() at time zone 'UTC')::date, 960, 960, date_trunc('month', now() at time zone 'UTC')::date, 960, 960, current_date
   from accounts.api_key where created_by = 'bench'`,
  'vacuum analyze',
];

const words = ['production', 'eagles', 'zurich', 'red', 'a1', '0012345', 'sp_live_0000', 'xylophone'];

const list = `query ($q: String, $sort: ApiKeySort!) { apiKeys(first: 25, filter: { q: $q }, sort: $sort) {
  nodes { id publicId name status lastUsedAt expiresAt createdAt account { id name } plan { code name } } pageInfo { nextCursor } } }`;

const overview = `{ topKeys(window: DAY, first: 8) { requests units apiKey { id name account { id name } } }
  keysNearQuota(first: 8) { used limit percent apiKey { id name account { id name } } }
  platformUsage(granularity: HOUR, groupBy: [STATUS]) { startsAt status requests } }`;

const detail = `query ($id: ID!) { apiKey(id: $id) { id name requestsLast24Hours quota { day { used limit } month { used limit } }
  usage(granularity: DAY, groupBy: [STATUS]) { startsAt status requests } recentRequests { at operation status }
  history(first: 10) { nodes { at action } } } }`;

const audit = '{ auditEntries(first: 25) { nodes { at action area actor { kind administrator { name } } } } }';

/** Signs the first owner in, with the setup link. Returns the cookie. */
export async function signInOwner(url: string, database: Pick<BenchDatabase, 'ownerUrl' | 'secret'>): Promise<string> {
  const { execute, close } = await openAccounts(database);
  const { createSetupLink } = await execute<{ readonly createSetupLink: { readonly setupPath: string } }>(
    'mutation { createSetupLink { setupPath } }',
    {},
  ).finally(close);
  const [, token] = createSetupLink.setupPath.split('#');
  const owner = { token, name: 'Bench', email: 'bench@example.com', password: 'ten thousand small accounts' };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/admin/setup`, { method: 'POST', headers, body: JSON.stringify(owner) });
  if (!response.ok) throw new Error(`no session: ${response.status} ${await response.text()}`);
  return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

/** Sends queries as an administrator. Throws Error on a response with errors. */
function createExecute(url: string, cookie: string) {
  return async (query: string, variables: object = {}): Promise<void> => {
    const headers = { cookie, 'content-type': 'application/json' };
    const response = await fetch(`${url}/admin/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const { errors } = (await response.json()) as { readonly errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
  };
}

/** Fills the database with keys, and sends the queries of the dashboard's pages one after the other. */
export async function measureDashboard(
  database: BenchDatabase,
  platform: OpenContender,
  report: (line: string) => void,
  size: DashboardSize = fullSize,
): Promise<Latency[]> {
  report(`${size.keys} keys of ${size.accounts} accounts …`);
  const client = new pg.Client({ connectionString: database.ownerUrl, application_name: 'bench' });
  await client.connect();
  for (const statement of statementsOf(size)) await client.query(statement);
  await client.end();
  const execute = createExecute(platform.url, await signInOwner(platform.url, database));
  const repeated = (work: (index: number) => Promise<void>) =>
    Array.from({ length: size.reads }, (_, index) => () => work(index));
  const wordOf = (index: number): string => words[index % words.length] ?? '';
  const queries: readonly (readonly [string, (index: number) => Promise<void>])[] = [
    ['search of keys, newest first', (index) => execute(list, { q: wordOf(index), sort: 'CREATED_DESC' })],
    ['search of keys, by name', (index) => execute(list, { q: wordOf(index), sort: 'NAME_ASC' })],
    ['search of keys, last used first', (index) => execute(list, { q: wordOf(index), sort: 'LAST_USED_DESC' })],
    ['overview', () => execute(overview)],
    ['one key', (index) => execute(detail, { id: `00000000-0000-4000-8000-${String(1 + index * 37).padStart(12, '0')}` })],
    ['audit log', () => execute(audit)],
  ];
  const measured: Latency[] = [];
  for (const [what, work] of queries) {
    await work(0);
    measured.push(await timed(platform, what, targetMs, repeated(work)));
  }
  return measured;
}
