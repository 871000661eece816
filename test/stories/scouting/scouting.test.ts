/** Prospects in the public API, from the projection of events. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';

let platform: TestPlatform;
let owner: Client;
let moderator: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Agency' });
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
});
afterAll(() => platform.close());

const bornAt = (age: number): string => bornFor(age, 183);

async function athlete(displayName: string, age: number, facts: object = {}, sport: object = {}): Promise<string> {
  const sports = [{ sport: 'FOOTBALL', positions: ['LB'], level: 'NATIONAL', ...sport }];
  const born = { displayName, dateOfBirth: bornAt(age), sex: 'FEMALE', nationalities: ['NG'], residence: null };
  return (await createAthlete(owner, { ...born, sports, status: 'ACTIVE', ...facts })).id;
}

interface Card {
  readonly athlete: { readonly id: string; readonly displayName: string };
  readonly talentScore: number;
  readonly components: readonly { readonly contribution: number }[];
}

const names = async (query = ''): Promise<string[]> =>
  (await platform.anonymous.get(`/scouting/prospects?limit=100&${query}`)).body.data.map(
    (each: Card) => each.athlete.displayName,
  );

describe('prospects', () => {
  test('are public adults, highest score first, with contributions that add up to the score', async () => {
    await athlete('Ada Young', 18);
    await athlete('Bea Older', 25);
    await athlete('Cleo Regional', 18, {}, { level: 'REGIONAL' });
    const minor = await athlete('Mia Minor', 16);
    await athlete('Dana Draft', 18, { status: 'DRAFT' });
    await athlete('Pia Private', 18, { visibility: 'PRIVATE' });
    await platform.settled();
    expect((await names()).toSorted()).toEqual(['Ada Young', 'Bea Older', 'Cleo Regional']);
    expect((await names())[2]).toBe('Cleo Regional');
    expect((await owner.get(`/scouting/prospects/${minor}`)).status).toBe(404);
    expect((await platform.anonymous.get('/scouting/prospects/00000000-0000-4000-8000-000000000000')).status).toBe(404);
    const { body, headers } = await platform.anonymous.get('/scouting/prospects');
    expect(headers.get('cache-control')).toContain('private');
    for (const { talentScore, components } of body.data as Card[])
      expect(components.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(talentScore);
    expect(body.data[0]).toMatchObject({
      talentScore: 50,
      confidence: 0,
      emerging: false,
      trend: null,
      percentile: null,
      sport: 'FOOTBALL',
      cohort: { sport: 'FOOTBALL', sex: 'FEMALE', position: 'DF', level: 'NATIONAL', n: null },
      modelVersion: '4-middle-ranks',
    });
  });

  test('follow the profile: verification raises the score, hiding removes the prospect, publishing restores it', async () => {
    const id = await athlete('Eve Verified', 20);
    await platform.settled();
    const score = async (): Promise<number> => (await platform.anonymous.get(`/scouting/prospects/${id}`)).body.talentScore;
    expect(await score()).toBe(50);
    await moderator.post(`/athletes/${id}/verify`, { method: 'Passport' });
    await platform.settled();
    expect(await score()).toBe(55);
    await owner.post(`/athletes/${id}/deactivate`);
    await platform.settled();
    expect((await platform.anonymous.get(`/scouting/prospects/${id}`)).status).toBe(404);
    expect(await names()).not.toContain('Eve Verified');
    await owner.post(`/athletes/${id}/activate`);
    await platform.settled();
    expect(await score()).toBe(55);
    await owner.patch(`/athletes/${id}`, { dateOfBirth: bornAt(15) }, { 'if-match': '*' });
    await platform.settled();
    expect((await platform.anonymous.get(`/scouting/prospects/${id}`)).status).toBe(404);
  });

  test('are filtered by sport, position, country, age and score', async () => {
    const guard = { sport: 'BASKETBALL', positions: ['PG'] };
    await athlete('Gia Guard', 19, { residence: { country: 'US' } }, guard);
    await athlete('Fia Forward', 23, { nationalities: ['FR', 'US'] }, { ...guard, positions: ['PF'], level: 'SCHOOL' });
    await platform.settled();
    const found = (query: string): Promise<string[]> => names(`sport=BASKETBALL&${query}`);
    expect(await found('')).toEqual(['Gia Guard', 'Fia Forward']);
    expect(await found('position=G')).toEqual(['Gia Guard']);
    expect(await found('position=PF,C')).toEqual(['Fia Forward']);
    expect(await found('country=US')).toEqual(['Gia Guard']);
    expect(await found('country=FR')).toEqual(['Fia Forward']);
    expect(await found('ageMax=22')).toEqual(['Gia Guard']);
    expect(await found('ageMax=23')).toEqual(['Gia Guard', 'Fia Forward']);
    expect(await found('minScore=50')).toEqual(['Gia Guard']);
    expect(await found('sex=MALE')).toEqual([]);
    expect((await platform.anonymous.get('/scouting/prospects?ageMax=12')).status).toBe(400);
  });

  test('are paged by score without gaps or duplicates, with one statement per page', async () => {
    for (let index = 0; index < 7; index += 1)
      await athlete(`Tia ${index}`, 18 + (index % 3), {}, { sport: 'TENNIS', positions: [] });
    await platform.settled();
    const query = `query ($after: String) {
      prospects(first: 3, after: $after, filter: { sport: TENNIS }) { nodes { talentScore athlete { displayName } } pageInfo { nextCursor } }
    }`;
    const read: Card[] = [];
    let after: string | null = null;
    do {
      platform.statements();
      const { body } = await platform.anonymous.graphql(query, { after });
      read.push(...body.data.prospects.nodes);
      after = body.data.prospects.pageInfo.nextCursor;
      expect(platform.statements().filter((name) => name.startsWith('prospects.'))).toEqual(['prospects.list']);
    } while (after !== null);
    expect(new Set(read.map((each) => each.athlete.displayName)).size).toBe(7);
    expect(read.map((each) => each.talentScore)).toEqual(read.map((each) => each.talentScore).toSorted((a, b) => b - a));
  });

  test('have no athleteId field', async () => {
    const fields = await platform.anonymous.graphql('{ prospects { nodes { athleteId } } }');
    expect(fields.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});
