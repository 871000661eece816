/** A guardian's consent publishes a restricted profile; its withdrawal hides it immediately. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { consent, consentBody, createMinor, verifiedAccount } from './minors-fixture.ts';
import { bornFor, createAthlete, facts } from './people.ts';

let platform: TestPlatform;
let moderator: Client;
let academy: Client & { readonly organizationId: string };
let agency: Client;
let minorsReader: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  academy = await verifiedAccount(platform, moderator, 'Academy', { officer: false });
  agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
  minorsReader = await verifiedAccount(platform, moderator, 'Curious', { officer: false, scopes: ['minors:read'] });
});
afterAll(() => platform.close());

test('PROFILE publishes initials, age group, sex, sport and country only', async () => {
  const id = await createMinor(academy, ['PROFILE'], { heightCm: 170, givenName: 'Juno', familyName: 'Dale' });
  for (const reader of [platform.anonymous, minorsReader]) {
    const { status, body, headers } = await reader.get(`/athletes/${id}`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        restricted: true,
        displayName: 'J. D.',
        ageGroup: expect.stringMatching(/^U(14|16|18)$/),
        age: null,
        dateOfBirth: null,
        birthYear: null,
        givenName: null,
        familyName: null,
        sex: 'FEMALE',
        nationalities: [],
        sports: [{ sport: 'FOOTBALL', discipline: null, positions: [], level: null }],
        residence: { country: 'FR', city: null, region: null },
        heightCm: null,
        externalIds: [],
      },
    });
    expect(JSON.stringify(body)).not.toMatch(/Juno|Dale|Lyon|NG"/);
    expect(headers.get('cache-control')).toBe('private, no-store');
  }
  expect((await academy.get(`/athletes/${id}`)).body).toMatchObject({ restricted: false, displayName: 'Juno Dale', age: 15 });
});

test('a key with minors:read reads what is consented to, and the owner reads the access log', async () => {
  const media = [{ kind: 'VIDEO', url: 'https://example.org/v.mp4', title: 'Goals' }];
  const id = await createMinor(academy, ['PROFILE'], { media });
  expect((await agency.get(`/athletes/${id}`)).body).toMatchObject({
    restricted: false,
    displayName: 'Juno Dale',
    age: 15,
    media: [],
  });
  await consent(academy, id, ['MEDIA']);
  expect((await agency.get(`/athletes/${id}`)).body.media).toEqual(media);
  const log = await academy.get(`/athletes/${id}/access-log`);
  expect(log.body.data).toMatchObject([{ reads: 2, scopes: ['MEDIA', 'PROFILE'] }]);
  expect(log.headers.get('cache-control')).toBe('private, no-store');
  for (const other of [agency, platform.anonymous]) expect((await other.get(`/athletes/${id}/access-log`)).status).toBe(404);
});

test('a read of statistics of a minor is logged too', async () => {
  const id = await createMinor(academy, ['PROFILE']);
  const row = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 2 }] };
  const { body } = await academy.post('/athletes/statistics', { athleteId: id, ...row });
  const list = 'query ($id: ID!) { athleteStatistics(filter: { athleteId: [$id] }) { nodes { metrics { value } } } }';
  expect((await agency.graphql(list, { id })).body.data.athleteStatistics.nodes).toHaveLength(1);
  const single = 'query ($id: ID!) { athleteStatisticsRow(id: $id) { metrics { value } } }';
  expect((await agency.graphql(single, { id: body.id })).body.data.athleteStatisticsRow).not.toBeNull();
  // statistics with the name of the athlete count as one read
  expect((await agency.get(`/athletes/${id}/statistics`)).body.data).toHaveLength(1);
  expect((await academy.get(`/athletes/${id}/access-log`)).body.data).toMatchObject([{ reads: 3, scopes: ['PROFILE'] }]);
});

test('a replay of an athlete who came of age but is still treated as a minor awaits a moderator', async () => {
  const id = await createMinor(academy, ['PROFILE', 'MEDIA']);
  const database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  await database.query('update athletes.athlete set date_of_birth = $2, adult_from = current_date - 9 where id = $1', [
    id,
    bornFor(18, 10),
  ]);
  await database.end();
  const film = { athleteId: id, title: 'Film', kind: 'CLIP', url: 'https://video.example/1', status: 'PUBLISHED' };
  expect((await academy.post('/competitions/replays', film)).body).toMatchObject({ status: 'REVIEW' });
});

test('a withdrawal hides the profile immediately and leaves a tombstone', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const id = await createMinor(academy, ['PROFILE', 'MEDIA']);
  const { body } = await academy.get(`/athletes/${id}/consents`);
  const [given] = body.data;
  const visible = (await platform.anonymous.get(`/athletes/${id}`)).headers.get('etag') ?? '';
  const withdrawn = await academy.post(`/athletes/${id}/consents/${given.id}/withdraw`, { reason: 'Asked for' });
  expect(withdrawn.body).toMatchObject({ effective: false, withdrawalReason: 'Asked for' });
  for (const reader of [platform.anonymous, agency, minorsReader]) expect((await reader.get(`/athletes/${id}`)).status).toBe(404);
  expect((await academy.get(`/athletes/${id}`)).body.status).toBe('PENDING_CONSENT');
  const changes = await platform.anonymous.get(`/athletes?updatedSince=${since}&limit=100`);
  expect(changes.body.tombstones).toContainEqual({ id, deleted: true });
  expect((await platform.anonymous.get(`/athletes/${id}`, { 'if-none-match': visible })).status).toBe(404);
  const repeated = await academy.post(`/athletes/${id}/consents/${given.id}/withdraw`, {});
  expect(repeated.body).toMatchObject({ status: 409, code: 'invalid_transition' });
  expect((await academy.post(`/athletes/${id}/activate`)).body).toMatchObject({ code: 'consent_required' });
});

test('consents are effective only while the account has a verified organization', async () => {
  const unknown = await platform.account({ account: 'Unknown' });
  const { id } = await createAthlete(unknown, { dateOfBirth: bornFor(15, 100) });
  const given = await unknown.post(`/athletes/${id}/consents`, consentBody(['PROFILE']));
  expect(given.body).toMatchObject({ effective: false });
  expect((await unknown.post(`/athletes/${id}/activate`)).body).toMatchObject({ code: 'consent_required' });

  const other = await verifiedAccount(platform, moderator, 'Suspended', { officer: false });
  const visible = await createMinor(other, ['PROFILE']);
  await createMinor(other, ['PROFILE', 'MEDIA']);
  expect((await platform.anonymous.get(`/athletes/${visible}`)).status).toBe(200);
  const recounted = async () => {
    await platform.settled();
    return platform.statements('projections').filter((name) => ['athletes.withConsents', 'consents.scopes'].includes(name));
  };
  await recounted();
  const organization = `/organizations/${other.organizationId}`;
  expect((await other.patch(organization, { city: 'Metz' }, { 'if-match': '*' })).status).toBe(200);
  expect(await recounted()).toEqual([]);
  await moderator.post(`${organization}/suspend`, { reason: 'Test' });
  // two reads of athletes and one of consents, for any number of minors
  expect(await recounted()).toEqual(['athletes.withConsents', 'consents.scopes', 'athletes.withConsents']);
  expect((await platform.anonymous.get(`/athletes/${visible}`)).status).toBe(404);
  expect((await other.get(`/athletes/${visible}/consents`)).body.data).toMatchObject([{ effective: false, withdrawnAt: null }]);
});

test('a consent that is given during the verification is effective', async () => {
  const school = await platform.account({ account: 'School' });
  const body = { type: 'ACADEMY', name: 'School', country: 'FR', sports: ['FOOTBALL'], status: 'ACTIVE' };
  const { body: organization } = await school.post('/organizations', body);
  await platform.settled();
  const { body: athlete } = await school.post('/athletes', facts({ dateOfBirth: bornFor(15, 3) }));
  const database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  const waits = async (name: string) => {
    await database.query('select pg_stat_clear_snapshot()');
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like $1`;
    return (await database.query(waiting, [`%/* ${name}%`])).rowCount;
  };
  await database.query('begin');
  // the lock blocks the history write at the end of the transaction
  await database.query('lock table athletes.history in share mode');
  const given = school.post(`/athletes/${athlete.id}/consents`, consentBody(['PROFILE']));
  await eventually(async () => expect(await waits('write.flush')).toBe(1));
  await moderator.post(`/organizations/${organization.id}/verify`);
  const settled = platform.settled();
  await Promise.race([settled, eventually(async () => expect(await waits('athletes.lockVerification')).toBe(1))]);
  await database.query('commit');
  await database.end();
  expect((await given).status).toBe(201);
  await settled;
  await platform.settled();
  expect((await school.get(`/athletes/${athlete.id}/consents`)).body.data).toMatchObject([{ effective: true }]);
});

test('other accounts cannot give, withdraw or read consents, and an adult has none', async () => {
  const id = await createMinor(academy, ['PROFILE']);
  const [given] = (await academy.get(`/athletes/${id}/consents`)).body.data;
  const otherAccount = await platform.account({ account: 'Stranger' });
  expect((await otherAccount.post(`/athletes/${id}/consents`, consentBody(['MEDIA']))).status).toBe(403);
  expect((await otherAccount.post(`/athletes/${id}/consents/${given.id}/withdraw`, {})).status).toBe(403);
  expect((await otherAccount.get(`/athletes/${id}/consents`)).status).toBe(404);
  expect((await otherAccount.get(`/athletes/${id}/consents/${given.id}`)).status).toBe(404);
  expect((await academy.get(`/athletes/${id}/consents/${given.id}`)).body).toEqual(given);
  const adult = await createAthlete(academy, { dateOfBirth: bornFor(25, 3) });
  expect((await academy.post(`/athletes/${adult.id}/consents`, consentBody(['PROFILE']))).status).toBe(409);
});
