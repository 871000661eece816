/** The registry of sports, and suggestions for unknown codes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { metricsOf, sportNames, sports } from '../../../schema/sports.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Curious' });
});
afterAll(() => platform.close());

interface Coded {
  readonly code: string;
  readonly positions?: readonly Coded[];
}
interface Entry {
  readonly sport: keyof typeof sports;
  readonly positionGroups: readonly Coded[];
  readonly events: readonly Coded[];
  readonly metrics: readonly { readonly key: string }[];
}

describe('the registry', () => {
  test('has all ten sports in one public, cacheable response', async () => {
    const { status, headers, body } = await platform.anonymous.get('/sports');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=/);
    expect(headers.get('link')).toBeNull();
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data.map(({ sport }: Entry) => sport)).toEqual(sportNames);
    for (const { sport, metrics, events } of body.data as Entry[]) {
      expect(metrics.map(({ key }) => key)).toEqual(metricsOf(sport).map(({ key }) => key));
      expect(events.map(({ code }) => code)).toEqual(Object.values(sports[sport].eventCodes).flatMap(Object.keys));
    }
    const etag = headers.get('etag') ?? '';
    expect((await platform.anonymous.get('/sports', { 'if-none-match': etag })).status).toBe(304);
  });

  test('contains units, bounds, directions and groups', async () => {
    const { data } = (await platform.anonymous.get('/sports?fields=sport,disciplines,positionGroups,events,metrics')).body;
    const of = (name: string) => data.find(({ sport }: Entry) => sport === name);
    expect(of('FOOTBALL').disciplines).toEqual(['ASSOCIATION', 'FUTSAL', 'BEACH']);
    expect(of('FOOTBALL').positionGroups[0]).toEqual({ code: 'GK', title: 'Goalkeeper', positions: [] });
    expect(of('FOOTBALL').positionGroups[1].positions).toContainEqual({ code: 'CB', title: 'Centre back' });
    const metric = (sport: string, name: string) => of(sport).metrics.find(({ key }: { key: string }) => key === name);
    expect(metric('FOOTBALL', 'saves')).toEqual({
      key: 'saves',
      title: 'Saves',
      unit: 'count',
      integer: true,
      direction: 'HIGHER_IS_BETTER',
      min: 0,
      max: 20_000,
      positions: ['GK'],
    });
    expect(metric('SWIMMING', 'weightKg')).toMatchObject({ unit: 'kg', integer: false, direction: 'NEUTRAL', positions: null });
    expect(of('SWIMMING').events).toContainEqual({
      code: '4X100_FREE',
      title: '4 x 100 metres freestyle relay',
      discipline: 'POOL',
      mark: 'ms',
      direction: 'LOWER_IS_BETTER',
      members: 4,
    });
    expect(of('COMBAT').events[0]).toMatchObject({ mark: null, members: null });
    expect(of('SWIMMING').positionGroups).toEqual([]);
  });

  test('is the same in GraphQL', async () => {
    const { body } = await platform.anonymous.graphql(
      `{ sports { nodes { sport title disciplines positionGroups { code title positions { code title } }
         events { code title discipline mark direction members }
         metrics { key title unit integer direction min max positions }
         teamMetrics { key title unit integer direction min max positions } actionTypes periods { unit count extra } } } }`,
    );
    expect(body.data.sports.nodes).toEqual((await platform.anonymous.get('/sports')).body.data);
  });

  test('is consistent with writes: every code is accepted', async () => {
    const { data } = (await platform.anonymous.get('/sports')).body as { data: Entry[] };
    const football = data.find(({ sport }) => sport === 'FOOTBALL');
    const codes =
      football?.positionGroups.flatMap(({ code, positions = [] }) => [code, ...positions.map((each) => each.code)]) ?? [];
    expect(codes.length).toBeGreaterThan(20);
    for (const positions of [codes.slice(0, 4), codes.slice(-4)]) {
      expect((await owner.post('/athletes', athlete({ positions }))).status).toBe(201);
    }
  });
});

const athlete = (of: Record<string, unknown>) => ({
  displayName: 'Ada',
  dateOfBirth: '1999-01-01',
  sex: 'FEMALE',
  nationalities: ['DE'],
  sports: [{ sport: 'FOOTBALL', ...of }],
});

describe('a code that the sport does not have', () => {
  const violation = async (path: string, body: unknown) => {
    const response = await owner.post(path, body);
    expect({ status: response.status, code: response.body.code }).toEqual({ status: 422, code: 'validation_failed' });
    return response.body.errors[0];
  };

  test('as a position lists the known codes or the nearest one, and the registry', async () => {
    expect(await violation('/athletes', athlete({ positions: ['PG'] }))).toEqual({
      pointer: '/sports/0/positions/0',
      code: 'unknown_position',
      detail: expect.stringMatching(
        /^This is not a position of FOOTBALL\. Known values: GK, DF, RB.* GET \/api\/v1\/sports lists all codes\.$/,
      ),
    });
    expect(await violation('/athletes', athlete({ positions: ['CF', 'PIVOT'] }))).toMatchObject({
      pointer: '/sports/0/positions/1',
      detail: 'This is not a position of FOOTBALL. Did you mean "PIVO"? GET /api/v1/sports lists all codes.',
    });
  });

  test('as a discipline', async () => {
    expect(await violation('/athletes', athlete({ discipline: 'FUTSALL' }))).toEqual({
      pointer: '/sports/0/discipline',
      code: 'unknown_discipline',
      detail: 'This is not a discipline of FOOTBALL. Did you mean "FUTSAL"? GET /api/v1/sports lists all codes.',
    });
  });

  test('as a metric or an event, in both APIs', async () => {
    const { body } = await owner.post('/athletes', athlete({}));
    const input = {
      athleteId: body.id,
      sport: 'FOOTBALL',
      scope: 'CAREER',
      source: 'PROVIDER',
      eventCode: '100M',
      metrics: [{ key: 'gaols', value: 3 }],
    };
    const rest = (await owner.post('/athletes/statistics', input)).body.errors;
    expect(rest).toEqual([
      {
        pointer: '/eventCode',
        code: 'unknown_event',
        detail: 'This is not an event of FOOTBALL. GET /api/v1/sports lists all codes.',
      },
      {
        pointer: '/metrics/0/key',
        code: 'unknown_metric',
        detail: 'This is not a metric of FOOTBALL. Did you mean "goals"? GET /api/v1/sports lists all codes.',
      },
    ]);
    const graph = await owner.graphql(
      'mutation ($input: ReportStatisticsInput!) { reportAthleteStatistics(input: $input) { id } }',
      {
        input,
      },
    );
    expect(graph.body.errors[0].extensions.errors).toEqual(rest);
  });
});
