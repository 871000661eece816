/** Athletes of every age, visibility and consent, in teams, matches, races and replays, and readers of every role. */
import { expect } from '@jest/globals';
import pg from 'pg';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform } from '../../test-platform.ts';
import { createTeam } from '../organizations/clubs.ts';
import { consent, verifiedAccount } from './minors-fixture.ts';
import { bornFor } from './people.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';
import { ages, consents, visibilities, type Person, type Reader } from './visibility-table.ts';

function expectCreated({ status, body }: ApiResponse): ApiResponse['body'] {
  expect({ status, body }).toMatchObject({ status: body.summary || body.tags ? 200 : 201 });
  if (body.summary) expect(body).toMatchObject({ summary: { failed: 0 } });
  return body;
}

const idsOf = (batch: ApiResponse['body']): string[] => batch.data.map(({ id }: { id: string }) => id);
const birth = { adult: { dateOfBirth: bornFor(25, 50) }, minor: { dateOfBirth: bornFor(15, 100) }, unknown: {} };
/** The birth date of athletes who were activated as minors and came of age since. */
const bornAdult = bornFor(18, 10);

/** Members that all athletes share, so that each filter and sort order applies to all of them. */
export const sharedMembers = {
  displayName: 'Quillon Hidden Zarela',
  givenName: 'Quillon',
  familyName: 'Zarela',
  knownAs: 'Zaza Hidden',
  names: [{ language: 'ar', value: 'كويلون المخفية' }],
  sex: 'FEMALE',
  nationalities: ['NG'],
  sportingNationality: 'NGR',
  residence: { country: 'FR', region: 'Rhone', city: 'Lyon' },
  sports: [{ sport: 'FOOTBALL', discipline: 'ASSOCIATION', positions: ['LB'], level: 'NATIONAL', yearsExperience: 7 }],
  heightCm: 171,
  weightKg: 61.5,
  dominantFoot: 'LEFT',
  dominantHand: 'RIGHT',
  weightClass: 'Light',
  languages: ['fr'],
  media: [{ kind: 'VIDEO', url: 'https://example.org/hidden.mp4', title: 'Hidden goals' }],
  availability: { openToOpportunities: true, from: '2027-01-01', types: ['TRIAL'], relocation: 'NATIONAL' },
};

/** All combinations: an adult needs no consent. */
const kinds: readonly Omit<Person, 'id'>[] = ages.flatMap((age) =>
  visibilities.flatMap((visibility) =>
    (age === 'adult' ? ['none' as const] : (Object.keys(consents) as Person['consent'][])).map((given) => ({
      age,
      visibility,
      consent: given,
    })),
  ),
);

async function createAthletes(owner: Client & { organizationId: string }, teamId: string): Promise<Person[]> {
  const education = { institutionId: owner.organizationId, graduationYear: 2029, gpa: 3.5, gpaScale: 4 };
  const items = kinds.map(({ age, visibility }, index) => ({
    ...sharedMembers,
    ...birth[age === 'turned 18' ? 'minor' : age],
    education,
    visibility,
    externalIds: [{ scheme: 'TEST', value: `hidden-${index}` }],
    status: 'ACTIVE',
  }));
  const ids = idsOf(expectCreated(await owner.post('/athletes/batch', { items })));
  const people = kinds.map((kind, index): Person => ({ id: ids[index] ?? '', ...kind }));
  const rows = <Item extends object>(create: (person: Person) => Item) => ({
    items: people.map((person, index) => ({ ...create(person), externalIds: [{ scheme: 'TEST', value: `row-${index}` }] })),
  });
  const membership = { personType: 'ATHLETE', organizationId: owner.organizationId, teamId, role: 'PLAYER' };
  await expectCreated(
    await owner.post(
      '/organizations/memberships/batch',
      rows(({ id }) => ({ ...membership, personId: id })),
    ),
  );
  const statistics = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 31 }] };
  await expectCreated(
    await owner.post('/athletes/statistics/batch', { items: people.map(({ id }) => ({ ...statistics, athleteId: id })) }),
  );
  const injury = { kind: 'INJURY', disclosure: 'ALL', startDate: '2026-09-01', reason: 'Hidden strain' };
  const healthConsent = {
    textVersion: '2026-01',
    evidence: { kind: 'SIGNED_FORM', reference: 'folder 8' },
    givenOn: '2026-09-01',
  };
  await expectCreated(
    await owner.post(
      '/athletes/absences/batch',
      rows(({ id, age }) => ({ ...injury, athleteId: id, ...(age === 'adult' && { healthConsent }) })),
    ),
  );
  return people;
}

/** A match with all athletes on team sheets, a race of all of them, and a replay with tags. */
async function createCompetitions(owner: Client, moderator: Client, teamId: string, people: readonly Person[]) {
  const league = await createSeason(owner, { category: 'WOMEN' });
  const side = await createResource(owner, `${league.path}/participants`, { type: 'TEAM', teamId });
  const lineup = people.map(({ id }, index) => ({ athleteId: id, shirtNumber: index + 1 }));
  const participants = [{ participantId: side.id, side: 'HOME', lineup }];
  const match = await createResource(owner, '/competitions/matches', {
    seasonId: league.season.id,
    date: '2026-09-01',
    participants,
  });
  const meet = await createSeason(owner, { sport: 'SWIMMING', type: 'MEET', category: 'WOMEN' });
  const contest = await createResource(owner, `${meet.path}/contests`, {
    name: 'Race',
    eventCode: '50_FREE',
    course: 'LONG_COURSE',
  });
  const stage = await createResource(owner, `${meet.path}/stages`, { contestId: contest.id, name: 'Final', type: 'FINAL' });
  const items = people.map(({ id }, index) => ({
    type: 'ATHLETE',
    athleteId: id,
    contestId: contest.id,
    representsCountry: 'NG',
    externalIds: [{ scheme: 'TEST', value: `hidden-swimmer-${index}` }],
  }));
  const entered = idsOf(expectCreated(await owner.post(`${meet.path}/participants/batch`, { items })));
  const race = await createResource(owner, '/competitions/matches', {
    seasonId: meet.season.id,
    stageId: stage.id,
    date: '2026-09-02',
    participants: entered.map((participantId) => ({ participantId })),
    status: 'FINISHED',
    result: {
      status: 'OFFICIAL',
      participants: entered.map((participantId, index) => ({ participantId, mark: { value: 25_000 + index * 10 } })),
    },
  });
  const film = { matchId: match.id, title: 'Match', kind: 'FULL', url: 'https://video.example/1', status: 'PUBLISHED' };
  const replay = await createResource(owner, '/competitions/replays', film);
  const tagged = people.filter((person) => person.consent === 'all' || person.age === 'adult');
  for (const { id } of tagged) expectCreated(await owner.post(`/competitions/replays/${replay.id}/tags`, { athleteId: id }));
  expect((await moderator.post(`/competitions/replays/${replay.id}/publish`)).body).toMatchObject({ status: 'PUBLISHED' });
  return {
    matchId: match.id as string,
    raceId: race.id as string,
    replayId: replay.id as string,
    stageId: stage.id as string,
    entered,
    tagged,
  };
}

/** Records the consents, and lets some athletes come of age. */
async function recordAllConsents(owner: Client, people: readonly Person[], database: pg.Client): Promise<void> {
  const recordConsents = async ({ id, consent: kind }: Person) => {
    const consentId = await consent(owner, id, kind === 'withdrawn' ? consents.all : consents[kind]);
    expect((await owner.post(`/athletes/${id}/activate`)).body).toMatchObject({ status: 'ACTIVE' });
    return { id, kind, consentId };
  };
  const given = await Promise.all(people.filter(({ consent: kind }) => kind !== 'none').map(recordConsents));
  const adults = people.filter(({ age }) => age === 'turned 18').map(({ id }) => id);
  await database.query('update athlete set date_of_birth = $1, adult_from = current_date - 9 where id = any($2::uuid[])', [
    bornAdult,
    adults,
  ]);
  const withdrawals = given.filter(({ kind }) => kind === 'withdrawn');
  const withdrawn = await Promise.all(
    withdrawals.map(({ id, consentId }) => owner.post(`/athletes/${id}/consents/${consentId}/withdraw`, {})),
  );
  expect(withdrawn.map(({ status }) => status)).toEqual(withdrawals.map(() => 200));
}

/** Opens the fixture. Close it at the end of the file. */
export async function openVisibilityFixture() {
  const platform = await openTestPlatform();
  const database = new pg.Client({ connectionString: platform.database.ownerUrl, options: '-c search_path=athletes,public' });
  await database.connect();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write', 'minors:read'] });
  const owner = await verifiedAccount(platform, moderator, 'Academy', { officer: false });
  const key = await platform.account({ account: 'Somebody' });
  const verified = await verifiedAccount(platform, moderator, 'Club', { officer: false });
  const minorsReader = await verifiedAccount(platform, moderator, 'Curious', { officer: false, scopes: ['minors:read'] });
  const agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
  const { id: teamId } = await createTeam(owner, owner.organizationId);
  const people = await createAthletes(owner, teamId);
  await recordAllConsents(owner, people, database);
  for (const { id } of people.filter(({ age, consent: kind }) => age === 'minor' && kind === 'all'))
    expect((await moderator.post(`/athletes/${id}/verify`, { method: 'Passport of Quillon' })).status).toBe(200);
  const games = await createCompetitions(owner, moderator, teamId, people);
  await platform.settled();
  const clients: Readonly<Record<Reader, Client>> = {
    anonymous: platform.anonymous,
    key,
    verified,
    'minors:read without an officer': minorsReader,
    'minors:read with an officer': agency,
    moderator,
    owner,
  };
  return {
    platform,
    clients,
    people,
    organizationId: owner.organizationId,
    ...games,
    async close() {
      await database.end();
      await platform.close();
    },
  };
}

export type VisibilityFixture = Awaited<ReturnType<typeof openVisibilityFixture>>;
