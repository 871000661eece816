/** `npm run bench -- --standings`: the time to read a table, and the time until a certified result is in it, for one client. */
import type { BenchDatabase } from './database.ts';
import { openRandom, type Random } from '../platform/random.ts';
import { timed, type Latency } from './latency.ts';
import type { OpenContender } from './open.ts';

const teams = 20;

interface Client {
  get(path: string): Promise<unknown>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<unknown>;
}

/** Throws on every status but 2xx. */
function clientOf(url: string, key: string): Client {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1/competitions${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as unknown;
  };
  return { send, get: (path) => send('GET', path) };
}

const idOf = (response: unknown): string => (response as { readonly id: string }).id;
const rowsOf = (response: unknown): readonly { readonly id: string; readonly points: number; readonly matchesPlayed: number }[] =>
  (response as { readonly data: readonly { id: string; points: number; matchesPlayed: number }[] }).data;

interface League {
  readonly seasonId: string;
  /** In match order; the first half has official results. */
  readonly matches: readonly { readonly id: string; readonly sides: readonly [string, string] }[];
}

/** Scores of a match: the stronger side scores more, few sides are level at the end of a season, and every run is the same. */
const goals = (random: Random, own: number, other: number): number =>
  Math.round(random.normal(1.4 + (other - own) * 0.05, 1.1, 0, 7));

/** A double round robin with official results, except for the last matches, whose results are still to be certified. */
async function playLeague({ send }: Client, open: number): Promise<League> {
  const facts = { name: 'Bench league', sport: 'FOOTBALL', type: 'LEAGUE', category: 'MEN', status: 'PUBLISHED' };
  const competitionId = idOf(await send('POST', '', facts));
  const days = { name: '2025/26', startDate: '2025-08-01', endDate: '2026-05-30', status: 'IN_PROGRESS' };
  const seasonId = idOf(await send('POST', '/seasons', { competitionId, ...days }));
  const names = Array.from({ length: teams }, (_, index) => `Team ${index + 1}`);
  const entered = await send('POST', `/seasons/${seasonId}/participants/batch`, {
    items: names.map((name, index) => ({ type: 'RELAY', name, externalIds: [{ scheme: 'BENCH', value: `team-${index}` }] })),
  });
  const ids = rowsOf(entered).map(({ id }) => id);
  const pairs = ids.flatMap((home) => ids.filter((away) => away !== home).map((away) => [home, away] as const));
  const random = openRandom('bench-league');
  const scores = pairs.map(([home, away]) => {
    const [own, other] = [ids.indexOf(home), ids.indexOf(away)];
    return [goals(random, own, other), goals(random, other, own)] as const;
  });
  const items = pairs.map((sides, index) => ({
    seasonId,
    matchday: 1 + (index % 38),
    date: new Date(Date.UTC(2025, 7, 1 + (index % 38) * 7)).toISOString().slice(0, 10),
    externalIds: [{ scheme: 'BENCH', value: `match-${index}` }],
    status: 'FINISHED',
    participants: sides.map((participantId, side) => ({ participantId, side: side === 0 ? 'HOME' : 'AWAY' })),
    result: {
      status: index < pairs.length - open ? 'OFFICIAL' : 'PROVISIONAL',
      participants: sides.map((participantId, side) => ({ participantId, score: scores[index]?.[side] ?? 0 })),
    },
  }));
  const written = await send('POST', '/matches/batch', { items });
  return { seasonId, matches: rowsOf(written).map(({ id }, index) => ({ id, sides: pairs[index] ?? ['', ''] })) };
}

/** How often each request is sent. */
export interface StandingsSize {
  readonly certified: number;
  readonly warmUps: number;
  readonly reads: number;
}

const fullSize: StandingsSize = { certified: 150, warmUps: 50, reads: 1_000 };

/** Plays a league of 380 matches over the database of a benchmark and measures it through the REST API, one request at a time. */
export async function measureStandings(
  database: BenchDatabase,
  platform: OpenContender,
  report: (line: string) => void,
  { certified, warmUps, reads }: StandingsSize = fullSize,
): Promise<Latency[]> {
  const client = clientOf(platform.url, database.key);
  const { seasonId, matches } = await playLeague(client, certified);
  report(`A league of ${matches.length} matches, ${certified} of them to be certified, at ${platform.url}.`);
  const table = `/rankings?seasonId=${seasonId}`;
  const read = (): Promise<unknown> => client.get(table);
  const played = async (): Promise<number> => rowsOf(await read()).reduce((sum, row) => sum + row.matchesPlayed, 0);
  const warm = await played();
  for (let index = 0; index < reads / 2; index += 1) await read();
  const certify = matches.slice(-certified).map(({ id }) => async () => {
    await client.send('POST', `/matches/${id}/result/certify`);
    return read();
  });
  await timed(platform, 'warm', 0, certify.slice(0, warmUps));
  const latencies = [
    await timed(platform, 'result certified, and read in the table', 50, certify.slice(warmUps)),
    await timed(
      platform,
      'table of 20 read',
      5,
      Array.from({ length: reads }, () => read),
    ),
    await timed(
      platform,
      'table as of a day, made when it is read',
      50,
      Array.from({ length: warmUps }, () => () => client.get(`${table}&asOf=2026-01-31`)),
    ),
  ];
  const counted = (await played()) - warm;
  if (counted !== certified * 2) throw new Error(`The table counts ${counted} sides of certified matches, not ${certified * 2}.`);
  return latencies;
}
