/** Erasure: hidden immediately, destroyed in every area; results remain without a name. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Queryable } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import type { Client } from '../../client.ts';
import { scannedBy } from '../../plans.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createMember } from '../organizations/clubs.ts';
import { holdMeet } from '../competitions/meets.ts';
import { createAbsence } from './absences.ts';
import { externalIds, guardian, person, words } from './erased-person.ts';
import { consentBody, createMinor, verifiedAccount } from './minors-fixture.ts';
import { createAthlete, facts } from './people.ts';
import { addEntry, createContactRequest, createShortlist, report } from '../scouting/scouts.ts';
import { shellsOf, tablesWith } from '../competitions/tables.ts';

let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let agency: Client;
let other: Client;
let moderator: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
  other = await platform.account({ account: 'Other' });
});
afterAll(() => platform.close());

/** Creates data about a swimmer in every area. Returns the match. */
async function live(id: string): Promise<{ matchId: string; membershipId: string; replayId: string }> {
  const { id: membershipId } = await createMember(owner, owner.organizationId, id);
  const numbers = { scope: 'CAREER', sport: 'SWIMMING', source: 'PROVIDER', metrics: [{ key: 'reactionTimeMs', value: 611 }] };
  expect((await owner.post('/athletes/statistics', { athleteId: id, ...numbers })).status).toBe(201);
  await createAbsence(owner, id, { reason: 'Kjeldoran', externalIds });
  const rival = (await createAdult(owner, { sports: [{ sport: 'SWIMMING' }] })).id;
  const meet = await holdMeet(
    owner,
    new Map([
      ['a', id],
      ['b', rival],
    ]),
    {},
    { eventCode: '50_FREE', course: 'LONG' },
    ['a', 'b'],
  );
  const entry = `${meet.path}/participants/${meet.entered.get('a')}`;
  const license = { externalIds: [{ scheme: 'LICENSE', value: 'TESTID-98217' }] };
  expect((await owner.patch(entry, license, { 'if-match': '*' })).status).toBe(200);
  const relay = { type: 'RELAY', name: 'Relay', memberIds: [rival, id] };
  const ids = { externalIds: [{ scheme: 'LICENSE', value: 'Wolkenstein and others' }] };
  expect((await owner.post(`${meet.path}/participants`, { ...relay, ...ids })).status).toBe(201);
  const matchId = await meet.swims({ a: 2400, b: 2500 });
  const replay = { athleteId: id, title: 'Zephyrine swims', kind: 'CLIP', url: 'https://example.org/zep-film' };
  const created = await owner.post('/competitions/replays', { ...replay, externalIds: [{ scheme: 'FILM', value: 'zep-film' }] });
  expect(created.status).toBe(201);
  // a batch of another resource by the same id: its stored response does not name the athlete
  const items = [facts({ externalIds: [{ scheme: 'TEST', value: `x${matchId}` }, ...person.externalIds] })];
  const batch = await owner.post('/athletes/batch', { items }, { 'idempotency-key': matchId });
  expect(batch.body.data[0]).toMatchObject({ outcome: 'FAILED', error: { code: 'conflict', existingId: id } });
  await owner.patch(`/athletes/${id}`, { knownAs: 'Zephyrine W.' }, { 'if-match': '*' });
  const { body: draft } = await owner.post('/competitions/replays', replay);
  expect((await owner.delete(`/competitions/replays/${draft.id}`, { 'if-match': '*' })).status).toBe(200);
  const listed = await addEntry(other, await createShortlist(other), id, { notes: 'Zephyrine is fast', ...ids });
  expect((await other.post(`${listed}/reports`, report())).status).toBe(201);
  await createContactRequest(other, id, { message: 'About Wolkenstein' });
  await platform.settled();
  return { matchId, membershipId, replayId: created.body.id };
}

test('no table of any area contains a name, a birth date, a guardian or an external id of an erased person', async () => {
  const id = await createMinor(owner, ['PROFILE', 'CONTACT'], person);
  const born = (await owner.get(`/athletes/${id}`)).body.dateOfBirth;
  const given = { ...consentBody(['MEDIA']), guardian, evidence: { kind: 'SIGNED_FORM', reference: 'Kjeldoran 7' } };
  expect((await owner.post(`/athletes/${id}/consents`, given)).status).toBe(201);
  expect((await agency.get(`/athletes/${id}`)).body.displayName).toBe(person.displayName);
  const { matchId, membershipId, replayId } = await live(id);
  const tables = await tablesWith(platform.database, [...words, born]);
  expect(tables).not.toContain('athletes.idempotency');
  expect(tables).toEqual(
    expect.arrayContaining([
      'athletes.athlete',
      'athletes.consent',
      'athletes.external_id',
      'athletes.history',
      'competitions.external_id',
      'competitions.replay',
      'scouting.contact_request',
      'scouting.external_id',
      'scouting.history',
      'scouting.shortlist_entry',
    ]),
  );

  const requested = await owner.post(`/athletes/${id}/erase`, { reason: 'because of Z' });
  expect(requested.body).toMatchObject({ status: 'ERASURE_REQUESTED' });
  // hidden before the data is destroyed
  for (const reader of [agency, other, platform.anonymous]) {
    expect((await reader.get(`/athletes/${id}`)).status).toBe(404);
    expect((await reader.get('/athletes?limit=100')).body.data.map((each: { id: string }) => each.id)).not.toContain(id);
  }
  expect((await owner.get(`/athletes/${id}`)).body).toMatchObject({ status: 'ERASURE_REQUESTED' });
  expect((await owner.patch(`/athletes/${id}`, { knownAs: 'Z' }, { 'if-match': '*' })).body).toMatchObject({ code: 'gone' });
  await platform.settled();
  expect(await tablesWith(platform.database, [...words, born])).toEqual([]);
  const queue = await owner.get(`/athletes/${id}`);
  expect(queue.body).toMatchObject({ status: 'ERASURE_REQUESTED', displayName: 'Erased athlete', externalIds: [] });

  const since = new Date(Date.now() - 60_000).toISOString();
  await platform.maintain();
  for (const reader of [owner, agency, other, platform.anonymous])
    expect((await reader.get(`/athletes/${id}`)).body).toMatchObject({ status: 410, code: 'gone' });
  expect((await owner.graphql('query ($id: ID!) { athlete(id: $id) { id } }', { id })).body).toMatchObject({
    data: { athlete: null },
    errors: [{ extensions: { code: 'gone' } }],
  });
  expect((await owner.get(`/athletes?mine=true&updatedSince=${since}`)).body.tombstones).toContainEqual({ id, deleted: true });
  expect((await owner.get(`/athletes/${id}/consents`)).body.data ?? []).toEqual([]);
  for (const path of [`/organizations/memberships/${membershipId}`, `/competitions/replays/${replayId}`])
    expect((await owner.get(path)).status).toBe(404);
  // the public data of the race is unchanged
  const { body: result } = await platform.anonymous.get(`/competitions/matches/${matchId}/result`);
  expect(result.participants).toMatchObject([
    { rank: 1, participant: { athlete: null } },
    { rank: 2, participant: { athlete: { displayName: expect.any(String) } } },
  ]);
  expect((await owner.get(`/athletes/${id}/results`)).status).toBe(404);
});

test('only the owner learns that a never public athlete existed', async () => {
  const id = await createMinor(owner, []);
  expect((await other.post(`/athletes/${id}/erase`)).status).toBe(404);
  expect((await owner.post(`/athletes/${id}/erase`)).status).toBe(200);
  expect((await owner.post(`/athletes/${id}/erase`)).body).toMatchObject({ status: 409, code: 'invalid_transition' });
  await platform.settled();
  await platform.maintain();
  expect((await owner.get(`/athletes/${id}`)).status).toBe(410);
  for (const reader of [other, moderator, platform.anonymous]) expect((await reader.get(`/athletes/${id}`)).status).toBe(404);
});

test('a deleted athlete leaves its history without personal data', async () => {
  const id = await createMinor(owner, [], person);
  const given = { ...consentBody(['MEDIA']), guardian, evidence: { kind: 'SIGNED_FORM', reference: 'Kjeldoran 8' } };
  expect((await owner.post(`/athletes/${id}/consents`, given)).status).toBe(201);
  const tablesWithData = await tablesWith(platform.database, words);
  expect(tablesWithData).toEqual(expect.arrayContaining(['athletes.athlete', 'athletes.consent', 'athletes.history']));
  expect((await owner.delete(`/athletes/${id}`, { 'if-match': '*' })).status).toBe(200);
  expect(await tablesWith(platform.database, words)).toEqual([]);
});

test('a draft with a merged duplicate cannot be deleted, but erased', async () => {
  const [{ id: second }, { id: first }] = [await createAthlete(owner), await createAthlete(owner)];
  const merged = await moderator.post(`/athletes/${second}/merge`, { intoId: first });
  expect({ status: merged.status, body: merged.body }).toMatchObject({ status: 200 });
  expect((await owner.delete(`/athletes/${first}`, { 'if-match': '*' })).body).toMatchObject({ status: 409, code: 'in_use' });
  expect((await owner.post(`/athletes/${first}/erase`)).status).toBe(200);
});

test('statistics that were withdrawn earlier are erased too', async () => {
  const { id } = await createAdult(owner, { sports: [{ sport: 'SWIMMING' }] });
  const meet = await holdMeet(owner, new Map([['a', id]]), {}, { eventCode: '50_FREE', course: 'LONG' }, ['a']);
  const matchId = await meet.swims({ a: 2473 });
  await platform.settled();
  const tablesWithData = async (): Promise<string[]> =>
    (await tablesWith(platform.database, ['24730'])).filter((name) => name.startsWith('athletes.'));
  expect(await tablesWithData()).toEqual(expect.arrayContaining(['athletes.history', 'athletes.statistics']));
  expect((await owner.post(`/competitions/matches/${matchId}/result/annul`, { reason: 'Short pool' })).status).toBe(200);
  await platform.settled();
  expect(await tablesWithData()).toEqual([]);
});

test('only the owner receives tombstones of statistics that were never public', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const numbers = { scope: 'CAREER', sport: 'SWIMMING', source: 'PROVIDER', metrics: [{ key: 'reactionTimeMs', value: 612 }] };
  const swimmer = { sports: [{ sport: 'SWIMMING' }] };
  const [restricted, hidden, visible] = [
    await createMinor(owner, ['PROFILE'], swimmer),
    (await createAdult(owner, swimmer)).id,
    (await createAdult(owner, swimmer)).id,
  ];
  await owner.patch(`/athletes/${hidden}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
  const rows: string[] = [];
  for (const athleteId of [restricted, hidden, visible]) {
    const { status, body } = await owner.post('/athletes/statistics', { athleteId, ...numbers });
    expect(status).toBe(201);
    rows.push(body.id);
    expect((await owner.post(`/athletes/${athleteId}/erase`)).status).toBe(200);
  }
  await platform.settled();
  const removed = async (reader: Client, more = ''): Promise<string[]> => {
    const { body } = await reader.get(`/athletes/statistics?updatedSince=${since}&limit=100${more}`);
    const ids: string[] = body.tombstones.map(({ id }: { id: string }) => id);
    return ids.filter((id) => rows.includes(id)).toSorted();
  };
  for (const reader of [platform.anonymous, other, agency]) expect(await removed(reader)).toEqual(rows.slice(2));
  expect(await removed(owner, '&mine=true')).toEqual(rows.toSorted());
  // the remaining rows do not reveal minors either
  const shells = await shellsOf(platform.database, 'athletes.athlete', [restricted, hidden, visible]);
  expect(shells).toHaveLength(3);
  expect(new Set(shells).size).toBe(1);
});

test('a later correction of a result does not restore statistics of an erased athlete', async () => {
  const { id } = await createAdult(owner, { sports: [{ sport: 'SWIMMING' }] });
  expect((await other.post(`/athletes/${id}/erase`)).body).toMatchObject({ status: 403, code: 'not_owner' });
  const meet = await holdMeet(owner, new Map([['a', id]]), {}, { eventCode: '50_FREE', course: 'LONG' }, ['a']);
  const matchId = await meet.swims({ a: 2400 });
  await platform.settled();
  expect((await owner.post(`/athletes/${id}/erase`)).status).toBe(200);
  await platform.settled();
  const participants = [{ participantId: meet.entered.get('a'), mark: { value: 23_000 } }];
  const corrected = await owner.post(`/competitions/matches/${matchId}/result/correct`, { reason: 'Timing', participants });
  expect(corrected.status).toBe(200);
  await platform.settled();
  await platform.maintain();
  expect((await owner.get(`/athletes/statistics?mine=true&athleteId=${id}`)).body.data).toEqual([]);
  expect(await tablesWith(platform.database, [id])).not.toContain('athletes.statistics');
});

test('the erasure finds all traces by index', async () => {
  const database = openDatabase({ url: platform.database.urlAs(areaRole('athletes')), name: 'test-forget', poolSize: 1 });
  const scanned: string[] = [];
  let count = 0;
  await database.transaction(async (transaction) => {
    // the tables are small: a sequential scan is used only without an index
    await transaction.query(sql`/* test.byIndex */ set local enable_seqscan = off`);
    const query: Queryable['query'] = async (statement) => {
      count += 1;
      scanned.push(...(await scannedBy(transaction, statement)));
      return [];
    };
    await eraseTraces({ query }, 'athlete', ['00000000-0000-4000-8000-000000000001']);
  });
  await database.close();
  expect({ count, scanned }).toEqual({ count: 3, scanned: [] });
});
