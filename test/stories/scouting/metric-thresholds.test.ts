/** Thresholds of metrics that cannot match anything are rejected with a hint. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

test.each([
  ['goals:gte:101:percentile', 'out_of_bounds', 'between 0 and 100'],
  ['goals:gte:1:per90', 'not_per_match', 'perMatch'],
  ['shotEfficiencyPct:gte:1:perMatch', 'not_per_match', 'not a sum'],
  ['heightCm:gte:190', 'not_compared', 'heightCmMin'],
  ['matchesPlayed:gte:10', 'not_compared', 'minConfidence'],
  ['goals:gte:1:perWeek', 'format', 'goals:gte:10'],
])('rejects the threshold %s', async (metric, code, hint) => {
  const { status, body } = await platform.anonymous.get(`/scouting/discovery?sport=HANDBALL&metric=${metric}`);
  expect({ status, errors: body.errors }).toEqual({
    status: 400,
    errors: [{ parameter: expect.stringMatching(/^metric/), code, detail: expect.stringContaining(hint) }],
  });
});

test('requires an event in sports with events, unless a measurement of the body is searched', async () => {
  const search = async (query: string) => (await platform.anonymous.get(`/scouting/discovery?${query}`)).body;
  for (const query of ['sport=SWIMMING&metric=seasonBestMs:lte:51000', 'sport=CYCLING&metric=stageWins:gte:1'])
    expect(await search(query)).toMatchObject({
      code: 'parameter_invalid',
      errors: [{ parameter: 'metric', code: 'without_event', detail: expect.stringContaining('Add `eventCode`') }],
    });
  expect(await search('sport=SWIMMING&metric=seasonBestMs:lte:51000&eventCode=100FR')).toMatchObject({
    errors: [{ parameter: 'eventCode', code: 'unknown_event', detail: expect.stringContaining('100_FREE') }],
  });
  expect(await search('sport=SWIMMING&metric=vo2max:gte:60')).toMatchObject({ data: [] });
  expect(await search('sport=SWIMMING&metric=seasonBestMs:lte:51000&eventCode=100_FREE')).toMatchObject({ data: [] });
});
