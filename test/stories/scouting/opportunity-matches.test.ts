/** Matches of athletes with opportunities over REST and GraphQL, and their visibility. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { inDays } from './market.ts';
import { getMatches, readMatches } from './match-reads.ts';
import { consent, createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';
import { differences, minor } from '../requests/similar-minors.ts';

let platform: TestPlatform;
/** Owns the athletes. */
let academy: Client & { readonly organizationId: string };
/** Owns the opportunities. Its organization has a safeguarding officer. */
let club: Client & { readonly organizationId: string };
/** Can read minors. */
let agency: Client;
let reader: Client;
let moderator: Client;
const unknown = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  academy = await verifiedAccount(platform, moderator, 'Academy', { officer: false });
  club = await verifiedAccount(platform, moderator, 'Club', { officer: true });
  agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
  reader = await platform.account({ account: 'Other' });
  await club.patch(`/organizations/${club.organizationId}`, { level: 'NATIONAL' }, { 'if-match': '*' });
});
afterAll(() => platform.close());

async function createOpportunity(more: object = {}): Promise<string> {
  const { id } = await createResource(club, '/opportunities', {
    type: 'TRIAL',
    organizationId: club.organizationId,
    title: 'Left backs',
    description: 'Come and play.',
    sport: 'FOOTBALL',
    positions: ['DF'],
    sex: 'FEMALE',
    country: 'FR',
    applicationDeadline: inDays(30),
    totalOpenings: 2,
    status: 'PUBLISHED',
    ...more,
  });
  return id;
}

const adult = async (more: object = {}): Promise<string> =>
  (await createAthlete(academy, { dateOfBirth: bornFor(20, 100), status: 'ACTIVE', ...more })).id;

describe('a public adult', () => {
  test('is matched for every caller, with contributions and missing data, over REST and GraphQL', async () => {
    const [athlete, opportunity] = [
      await adult({ availability: { openToOpportunities: true, types: ['TRIAL'] } }),
      await createOpportunity(),
    ];
    const response = await getMatches(platform.anonymous, [athlete], [opportunity]);
    const [match] = response.body.data;
    expect(match).toMatchObject({
      athlete: { id: athlete },
      opportunity: { id: opportunity, title: 'Left backs' },
      eligible: true,
      failedCriteria: [],
      components: [
        { code: 'POSITION', side: 'OPPORTUNITY', weight: 0.4, value: 1, text: expect.stringContaining('plays left back') },
        { code: 'LEVEL', side: 'OPPORTUNITY', weight: 0.4, value: 1 },
        { code: 'PREFERENCE', side: 'ATHLETE', weight: 0.1, value: 1 },
        { code: 'GEOGRAPHY', side: 'ATHLETE', weight: 0.1, value: 0.5 },
      ],
      missingData: [{ datum: 'STATISTICS', decidesEligibility: false, highestScore: match.score }],
      modelVersion: '3-middle-ranks',
    });
    expect(response.headers.get('cache-control')).toContain('private, no-cache');
    const { body } = await platform.anonymous.graphql(
      `query ($athletes: [ID!]!, $opportunities: [ID!]!) {
        opportunityMatches(athleteId: $athletes, opportunityId: $opportunities) {
          nodes { athlete { id } opportunity { id organization { name } } score components { contribution } }
        }
      }`,
      { athletes: [athlete], opportunities: [opportunity] },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.opportunityMatches.nodes).toMatchObject([
      { athlete: { id: athlete }, opportunity: { organization: { name: 'Club' } }, score: match.score },
    ]);
    expect(await readMatches(reader, [athlete], [opportunity])).toEqual(response.body.data);
  });

  test('is ineligible with failed criteria, their differences and no score', async () => {
    const season = await createSeason(academy, { category: 'WOMEN' });
    const athlete = await adult({ nationalities: ['NG'], education: { gpa: 2.5, gpaScale: 4 } });
    await createResource(academy, '/athletes/statistics', {
      athleteId: athlete,
      scope: 'SEASON',
      sport: 'FOOTBALL',
      seasonId: season.season.id,
      source: 'PROVIDER',
      metrics: [{ key: 'goals', value: 7 }],
    });
    const opportunity = await createOpportunity({
      type: 'SCHOLARSHIP',
      positions: ['GK'],
      ageRange: { min: 16, max: 18 },
      nationalities: ['FR'],
      requirements: [{ metricKey: 'goals', operator: 'GTE', value: 10, mandatory: true }],
      academic: { minGpa: 3, gpaScale: 4 },
    });
    const [match] = await readMatches(platform.anonymous, [athlete], [opportunity]);
    expect(match).toMatchObject({
      eligible: false,
      score: null,
      components: [],
      missingData: [],
      failedCriteria: [
        { criterion: 'AGE', required: '16 to 18', actual: '20', byHowMuch: 2, unit: 'years' },
        { criterion: 'NATIONALITY', required: 'FR', actual: 'NG', byHowMuch: null },
        { criterion: 'POSITION', required: 'GK', actual: 'LB' },
        { criterion: 'ACADEMIC', required: '3 of 4', actual: '2.5 of 4', byHowMuch: 0.5 },
        { criterion: 'REQUIREMENT', metricKey: 'goals', required: 'Goals at least 10', actual: '7', byHowMuch: 3, unit: 'count' },
      ],
    });
  });

  test('has unknown eligibility while data for a criterion is missing', async () => {
    const athlete = await adult({ sports: [{ sport: 'FOOTBALL', positions: ['DF'] }] });
    const [match] = await readMatches(platform.anonymous, [athlete], [await createOpportunity({ positions: ['LB'] })]);
    expect(match).toMatchObject({
      eligible: null,
      missingData: [{ datum: 'POSITIONS', decidesEligibility: true, lowestScore: null }, { datum: 'STATISTICS' }, {}, {}],
    });
    expect(match?.score).toBeGreaterThan(0);
  });

  test('is ranked for one opportunity, opportunities are ranked for one athlete, and several of both are rejected', async () => {
    const one = await adult();
    const low = await adult({ sports: [{ sport: 'FOOTBALL', positions: ['LB'], level: 'GRASSROOTS' }] });
    const other = await adult({ sports: [{ sport: 'TENNIS' }] });
    const [opportunity, abroad] = [await createOpportunity(), await createOpportunity({ country: 'DE' })];
    const athletes = await readMatches(reader, [other, low, one], [opportunity]);
    expect(athletes.map((each) => each.athlete.id)).toEqual([one, low, other]);
    const opportunities = await readMatches(reader, [one], [abroad, opportunity, opportunity]);
    expect(opportunities.map((each) => each.opportunity.id).length).toBe(2);
    const rejected = await getMatches(reader, [one, low], [opportunity, abroad]);
    expect({ status: rejected.status, body: rejected.body }).toMatchObject({
      status: 400,
      body: { code: 'parameter_invalid', errors: [{ parameter: 'opportunityId' }] },
    });
    const many = Array.from({ length: 21 }, (_, index) => `00000000-0000-4000-8000-0000000000${index + 10}`);
    expect((await getMatches(reader, many, [opportunity])).status).toBe(400);
    expect((await getMatches(reader, ['nobody'], [opportunity])).status).toBe(400);
  });
});

test('the id of a merged profile matches the remaining profile once', async () => {
  const [first, second, opportunity] = [await adult(), await adult(), await createOpportunity()];
  expect((await moderator.post(`/athletes/${second}/merge`, { intoId: first })).status).toBe(200);
  expect((await readMatches(reader, [second, first], [opportunity])).map(({ athlete }) => athlete.id)).toEqual([first]);
});

test('hidden athletes and drafts and closed opportunities get the same response as unknown ids', async () => {
  const [athlete, opportunity] = [await adult(), await createOpportunity()];
  expect(await readMatches(reader, [athlete], [opportunity])).toHaveLength(1);
  const hidden = [
    await adult({ visibility: 'PRIVATE' }),
    await adult({ status: 'DRAFT' }),
    await adult({ visibility: 'ORGANIZATIONS' }),
  ];
  const draft = await createOpportunity({ status: 'DRAFT' });
  const [closed, paused] = [await createOpportunity(), await createOpportunity()];
  await club.post(`/opportunities/${closed}/close`);
  await club.post(`/opportunities/${paused}/pause`);
  const withoutVariableParts = async (athletes: string[], opportunities: string[]) => {
    const { status, body, headers } = await getMatches(reader, athletes, opportunities);
    return { status, body, cache: headers.get('cache-control') };
  };
  const unknownResponse = await withoutVariableParts([unknown], [opportunity]);
  expect(unknownResponse).toMatchObject({ status: 200, body: { data: [] } });
  for (const id of hidden) expect(await withoutVariableParts([id], [opportunity])).toEqual(unknownResponse);
  for (const id of [unknown, draft, closed, paused]) expect(await withoutVariableParts([athlete], [id])).toEqual(unknownResponse);
  expect(await readMatches(agency, hidden, [opportunity])).toHaveLength(1);
});

describe('a minor', () => {
  const readers = (): Readonly<Record<string, Client>> => ({ anonymous: platform.anonymous, reader, agency, club, academy });
  const readersOf = async (athlete: string, opportunity: string): Promise<string[]> => {
    const names: string[] = [];
    for (const [name, client] of Object.entries(readers()))
      if ((await readMatches(client, [athlete], [opportunity])).length > 0) names.push(name);
    return names;
  };

  test('is matched for the owner, for other keys with PROFILING consent, and never without a key', async () => {
    const opportunity = await createOpportunity({ minorsAllowed: true });
    const profiled = await createMinor(academy, ['PROFILE', 'PROFILING']);
    expect(await readersOf(profiled, opportunity)).toEqual(['reader', 'agency', 'club', 'academy']);
    expect(await readersOf(await createMinor(academy, ['PROFILE']), opportunity)).toEqual(['academy']);
    expect(await readersOf(await createMinor(academy, []), opportunity)).toEqual(['academy']);
    const { headers } = await getMatches(reader, [profiled], [opportunity]);
    expect(headers.get('cache-control')).toBe('private, no-store');
    const consents = await academy.get(`/athletes/${profiled}/consents`);
    await academy.post(`/athletes/${profiled}/consents/${consents.body.data[0].id}/withdraw`, {});
    expect(await readersOf(profiled, opportunity)).toEqual(['academy']);
    const [rejected] = await readMatches(academy, [profiled], [await createOpportunity()]);
    expect(rejected).toMatchObject({ eligible: false, failedCriteria: [{ criterion: 'MINORS' }] });
  });

  test('has the same match as minors that differ in hidden data only', async () => {
    const read = ['dateOfBirth', 'nationalities', 'sports', 'heightCm', 'weightKg', 'dominantFoot', 'availability', 'languages'];
    const some = differences.filter((each) => Object.keys(each).every((member) => read.includes(member)));
    const items = some.map((each, index) => ({ ...minor, ...each, externalIds: [{ scheme: 'TEST', value: `pair-${index}` }] }));
    const batch = await academy.post('/athletes/batch', { items });
    const ids: string[] = batch.body.data.map(({ id }: { id: string }) => id);
    for (const id of ids) {
      await consent(academy, id, ['PROFILE', 'PROFILING', 'CONTACT']);
      expect((await academy.post(`/athletes/${id}/activate`)).status).toBe(200);
    }
    const opportunity = await createOpportunity({
      type: 'TALENT_REQUEST',
      minorsAllowed: true,
      nationalities: ['NG'],
      ageRange: { min: 14, max: 17 },
      languages: ['fr'],
      country: 'DE',
      profile: { heightMinCm: 175, dominantFoot: 'LEFT' },
      requirements: [
        { attribute: 'YEARS_EXPERIENCE', operator: 'GTE', value: 8 },
        { metricKey: 'weightKg', operator: 'GTE', value: 70 },
      ],
    });
    const responses = async (client: Client): Promise<Set<string>> => {
      const matches = await readMatches(client, ids, [opportunity]);
      expect(matches).toHaveLength(ids.length);
      return new Set(matches.map(({ athlete: _, ...match }) => JSON.stringify(match)));
    };
    expect((await responses(reader)).size).toBe(1);
    expect((await responses(academy)).size).toBeGreaterThan(5);
    expect((await responses(agency)).size).toBeGreaterThan(5);
    const [restricted] = await readMatches(reader, ids, [opportunity]);
    expect(restricted).toMatchObject({ eligible: null, score: null });
    const log = await academy.get(`/athletes/${ids[0] ?? ''}/access-log`);
    expect(log.body.data).toHaveLength(1);
  });
});
