/** Races of more participants than a match has: waves of one stage, in one ranking. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createResource, createSeason } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Marathon' });
});
afterAll(() => platform.close());

const runners = 1_200;
const waveSize = 500;

async function batch(path: string, items: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < items.length; start += 500) {
    const { body } = await owner.post(`${path}/batch`, { items: items.slice(start, start + 500) });
    expect(body.summary).toMatchObject({ failed: 0 });
    ids.push(...body.data.map(({ id }: { id: string }) => id));
  }
  return ids;
}

const externalIds = (kind: string, index: number) => [{ scheme: 'TEST', value: `${kind}-${index}` }];

test('1,200 runners in three waves have one ranking, with equal times in shared places', async () => {
  const { path, season } = await createSeason(owner, { name: 'Marathon', sport: 'ATHLETICS', type: 'MEET', category: 'OPEN' });
  const contest = await createResource(owner, `${path}/contests`, { name: 'Marathon', eventCode: 'MARATHON' });
  const stage = await createResource(owner, `${path}/stages`, { contestId: contest.id, name: 'Race', type: 'FINAL' });
  const athletes = await batch(
    '/athletes',
    Array.from({ length: runners }, (_, index) => ({
      displayName: `Runner ${index}`,
      sex: 'FEMALE',
      birthYear: 1990,
      nationalities: ['DE'],
      sports: [{ sport: 'ATHLETICS', primary: true }],
      status: 'ACTIVE',
      externalIds: externalIds('runner', index),
    })),
  );
  const entered = await batch(
    `${path}/participants`,
    athletes.map((athleteId, index) => ({
      contestId: contest.id,
      type: 'ATHLETE',
      athleteId,
      bib: String(index + 1),
      externalIds: externalIds('entry', index),
    })),
  );
  // A repeatable mixture of times, some of them equal; every hundredth runner does not finish.
  const timeOf = (index: number): number => 8_000_000 + ((index * 7_919) % 1_100) * 1_000;
  const finishes = (index: number): boolean => index % 100 !== 99;
  const waves = Array.from({ length: Math.ceil(runners / waveSize) }, (_, wave) => {
    const own = entered.map((participantId, index) => ({ participantId, index })).slice(wave * waveSize, (wave + 1) * waveSize);
    return {
      seasonId: season.id,
      stageId: stage.id,
      round: `Wave ${wave + 1}`,
      date: '2026-10-04',
      participants: own.map(({ participantId }) => ({ participantId })),
      status: 'FINISHED',
      result: {
        status: 'OFFICIAL',
        participants: own.map(({ participantId, index }) =>
          finishes(index) ? { participantId, mark: { value: timeOf(index) } } : { participantId, invalidResultMark: 'DNF' },
        ),
      },
      externalIds: externalIds('wave', wave),
    };
  });
  for (const wave of waves) await batch('/competitions/matches', [wave]);

  const rows: { position: number | null; participant: { id: string } }[] = [];
  for (let cursor = ''; ;) {
    const { body } = await platform.anonymous.get(`/competitions/rankings?stageId=${stage.id}&limit=100${cursor}`);
    rows.push(...body.data);
    if (body.page.nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(body.page.nextCursor)}`;
  }
  expect(rows).toHaveLength(runners);
  const times = entered.map((_, index) => (finishes(index) ? timeOf(index) : null));
  const expected = times.map((time) =>
    time === null ? null : 1 + times.filter((other) => other !== null && other < time).length,
  );
  const positions = new Map(rows.map(({ participant, position }) => [participant.id, position]));
  expect(entered.map((id) => positions.get(id))).toEqual(expected);
});
