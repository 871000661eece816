/** Absences: who reads injuries, suspensions and others, who writes them, and what remains of them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createSeason } from '../competitions/season-fixtures.ts';
import { createAdult, createMember, createTeam, idsOf } from '../organizations/clubs.ts';
import { absencesPath, createAbsence, healthConsent } from './absences.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';

let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let agency: Client;
let other: Client;
let moderator: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Club', { officer: true });
  agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
  other = await platform.account({ account: 'Other' });
});
afterAll(() => platform.close());

const any = { 'if-match': '*' };

/** What a client reads of an absence: by id, in the list of the athlete, and from the athlete over GraphQL. */
async function readBy(client: Client, id: string, athleteId: string): Promise<object | null> {
  const { status, body } = await client.get(`${absencesPath}/${id}`);
  const listed = await client.get(`${absencesPath}?athleteId=${athleteId}`);
  const query = 'query ($id: ID!) { athlete(id: $id) { absences { nodes { id kind reason } } } }';
  const nested = await client.graphql(query, { id: athleteId });
  const nodes = (nested.body.data.athlete?.absences.nodes ?? []) as { id: string }[];
  expect([idsOf(listed).includes(id), nodes.some((node) => node.id === id)]).toEqual([status === 200, status === 200]);
  if (status !== 200) return null;
  const { kind, reason, healthConsent: consent } = body;
  expect(nodes.find((node) => node.id === id)).toMatchObject({ kind, reason });
  return { kind, reason, consent: consent !== null };
}

const strain = { reason: 'Hamstring strain', expectedEndDate: '2026-12-01' };
const whole = { kind: 'INJURY', reason: 'Hamstring strain' };
const datesOnly = { kind: null, reason: null, consent: false };

describe('an injury', () => {
  test('of an adult is visible to others as far as the athlete agreed', async () => {
    const { id: athlete } = await createAdult(owner);
    const { id, disclosure } = await createAbsence(owner, athlete, strain);
    expect(disclosure).toBe('OWNER');
    expect(await readBy(owner, id, athlete)).toMatchObject(whole);
    for (const client of [agency, other, platform.anonymous]) expect(await readBy(client, id, athlete)).toBeNull();

    const patch = async (body: object) => owner.patch(`${absencesPath}/${id}`, body, any);
    expect((await patch({ disclosure: 'DATES' })).status).toBe(200);
    for (const client of [agency, other, platform.anonymous]) expect(await readBy(client, id, athlete)).toEqual(datesOnly);
    expect(idsOf(await other.get(`${absencesPath}?athleteId=${athlete}&kind=INJURY`))).toEqual([]);
    expect(idsOf(await owner.get(`${absencesPath}?athleteId=${athlete}&kind=INJURY`))).toEqual([id]);

    expect((await patch({ disclosure: 'ALL' })).body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/healthConsent', code: 'required' }],
    });
    expect((await patch({ disclosure: 'ALL', healthConsent })).status).toBe(200);
    for (const client of [agency, other, platform.anonymous])
      expect(await readBy(client, id, athlete)).toEqual({ ...whole, consent: false });
    expect(await readBy(owner, id, athlete)).toEqual({ ...whole, consent: true });
    expect((await patch({ healthConsent: null })).body.errors).toMatchObject([{ code: 'required' }]);
    expect((await patch({ disclosure: 'OWNER', healthConsent: null })).status).toBe(200);
    expect(await readBy(other, id, athlete)).toBeNull();
  });

  test('of a minor needs the guardian’s consent to HEALTH, and a reader of minors', async () => {
    const withHealth = await createMinor(owner, ['PROFILE', 'HEALTH']);
    const without = await createMinor(owner, ['PROFILE']);
    expect(
      (await owner.post(absencesPath, { athleteId: withHealth, kind: 'ILLNESS', startDate: '2026-09-01', healthConsent })).body
        .errors,
    ).toMatchObject([{ pointer: '/healthConsent', code: 'minor' }]);
    for (const disclosure of ['DATES', 'ALL']) {
      const [first, second] = [
        await createAbsence(owner, withHealth, { ...strain, disclosure }),
        await createAbsence(owner, without, { ...strain, disclosure }),
      ];
      expect(await readBy(agency, first.id, withHealth)).toMatchObject(disclosure === 'ALL' ? whole : datesOnly);
      expect(await readBy(agency, second.id, without)).toBeNull();
      for (const client of [other, platform.anonymous])
        for (const [{ id }, athlete] of [
          [first, withHealth],
          [second, without],
        ] as const)
          expect(await readBy(client, id, athlete)).toBeNull();
    }
    const duty = await createAbsence(owner, without, { kind: 'INTERNATIONAL_DUTY', reason: 'U17' });
    expect(await readBy(agency, duty.id, without)).toMatchObject({ kind: 'INTERNATIONAL_DUTY' });
    expect(await readBy(other, duty.id, without)).toBeNull();
    const log = await owner.get(`/athletes/${withHealth}/access-log`);
    expect(log.body.data).toMatchObject([{ scopes: ['HEALTH', 'PROFILE'] }]);
  });
});

describe('a suspension', () => {
  test('is recorded by the organizer of the competition, and read by everybody', async () => {
    const { id: athlete } = await createAdult(owner);
    const { season } = await createSeason(other);
    const competitionId: string = season.competition.id;
    const facts = { kind: 'SUSPENSION', reason: 'Second yellow card', matchCount: 3, endDate: '2026-12-31' };
    const ban = { ...facts, competitionId };
    const { id } = await createAbsence(other, athlete, ban);
    await platform.settled();
    const read = await platform.anonymous.get(`${absencesPath}/${id}`);
    expect(read.body).toMatchObject({ ...facts, competition: { id: competitionId }, disclosure: 'ALL' });
    expect(idsOf(await platform.anonymous.get(`${absencesPath}?competitionId=${competitionId}`))).toEqual([id]);
    for (const date of ['2026-08-31', '2027-01-01'])
      expect(idsOf(await other.get(`${absencesPath}?athleteId=${athlete}&date=${date}`))).toEqual([]);
    for (const date of ['2026-09-01', '2026-12-31'])
      expect(idsOf(await other.get(`${absencesPath}?athleteId=${athlete}&date=${date}`))).toEqual([id]);
    expect((await owner.patch(`${absencesPath}/${id}`, { matchCount: 1 }, any)).body).toMatchObject({ code: 'not_owner' });
    expect((await other.patch(`${absencesPath}/${id}`, { matchCount: 4 }, any)).body).toMatchObject({ matchCount: 4 });
    const rival = await platform.account({ account: 'Rival' });
    const again = { athleteId: athlete, startDate: '2026-09-01', ...ban };
    expect((await rival.post(absencesPath, again)).body.errors).toMatchObject([
      { pointer: '/athleteId', code: 'unknown_athlete' },
    ]);
    expect((await other.delete(`${absencesPath}/${id}`, any)).status).toBe(200);
    expect((await platform.anonymous.get(`${absencesPath}/${id}`)).status).toBe(404);
  });

  test('of an athlete whom the organizer cannot read is refused like one of an unknown athlete', async () => {
    const { season } = await createSeason(other);
    const hidden = await createMinor(owner, []);
    const ban = { kind: 'SUSPENSION', startDate: '2026-09-01', competitionId: season.competition.id };
    for (const athleteId of [hidden, season.id])
      expect((await other.post(absencesPath, { ...ban, athleteId })).body).toMatchObject({
        status: 422,
        errors: [{ pointer: '/athleteId', code: 'unknown_athlete' }],
      });
  });
});

describe('the list', () => {
  test('selects the current members of a team, and synchronizes with tombstones', async () => {
    const [{ id: player }, { id: free }] = [await createAdult(owner), await createAdult(owner)];
    const team = await createTeam(owner, owner.organizationId);
    await createMember(owner, owner.organizationId, player, { teamId: team.id });
    await platform.settled();
    const since = new Date().toISOString();
    const [first, second] = [
      await createAbsence(owner, player, { kind: 'INTERNATIONAL_DUTY' }),
      await createAbsence(owner, free, { kind: 'INTERNATIONAL_DUTY' }),
    ];
    await createAbsence(owner, player, strain);
    expect(idsOf(await other.get(`${absencesPath}?teamId=${team.id}`))).toEqual([first.id]);
    expect(idsOf(await other.get(`${absencesPath}?organizationId=${owner.organizationId}`))).toContain(first.id);
    const changes = async () => (await other.get(`${absencesPath}?updatedSince=${since}&limit=100`)).body;
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
    // a change is listed when all transactions that began before it have ended
    await eventually(async () => expect(ids((await changes()).data)).toEqual([first.id, second.id]));
    expect((await owner.post(`/athletes/${player}/deactivate`)).status).toBe(200);
    await owner.patch(`${absencesPath}/${second.id}`, { disclosure: 'OWNER' }, any);
    await eventually(async () => {
      const { data, tombstones } = await changes();
      expect([data, ids(tombstones).toSorted()]).toEqual([[], [first.id, second.id].toSorted()]);
    });
    expect((await owner.post(`/athletes/${player}/activate`)).status).toBe(200);
    await eventually(async () => expect(ids((await changes()).data)).toEqual([first.id]));
  });
});

describe('a request is rejected', () => {
  test.each<[string, object, [string, string]]>([
    ['that ends before it starts', { endDate: '2026-08-31' }, ['/endDate', 'before_start']],
    ['that is expected to end before it starts', { expectedEndDate: '2026-08-31' }, ['/expectedEndDate', 'before_start']],
    ['with matches for an injury', { matchCount: 2 }, ['/matchCount', 'not_for_kind']],
    ['with health consent for a suspension', { kind: 'SUSPENSION', healthConsent }, ['/healthConsent', 'not_for_kind']],
    ['that publishes an illness without consent', { kind: 'ILLNESS', disclosure: 'ALL' }, ['/healthConsent', 'required']],
    [
      'for an unknown competition',
      { kind: 'SUSPENSION', competitionId: '0f0b4d0e-1f4e-4e0c-8f0f-2f1b7a0d9c22' },
      ['/competitionId', 'unknown_competition'],
    ],
  ])('%s', async (_, more, [pointer, code]) => {
    const { id } = await createAdult(owner);
    const input = { athleteId: id, kind: 'INJURY', startDate: '2026-09-01', ...more };
    expect((await owner.post(absencesPath, input)).body).toMatchObject({ status: 422, errors: [{ pointer, code }] });
  });

  test('in a batch alone, and a stored absence keeps its kind', async () => {
    const { id } = await createAdult(owner);
    const item = {
      athleteId: id,
      kind: 'INJURY',
      startDate: '2026-09-01',
      externalIds: [{ scheme: 'CRM', value: `absence-${id}` }],
    };
    const send = async (...items: object[]) => (await owner.post(`${absencesPath}/batch`, { items })).body.data;
    expect(await send(item)).toMatchObject([{ outcome: 'CREATED' }]);
    expect(await send(item)).toMatchObject([{ outcome: 'UNCHANGED' }]);
    expect(await send({ ...item, endDate: '2026-10-01' })).toMatchObject([{ outcome: 'UPDATED' }]);
    expect(await send({ ...item, kind: 'OTHER' })).toMatchObject([
      { outcome: 'FAILED', error: { errors: [{ pointer: '/kind', code: 'immutable' }] } },
    ]);
  });
});

test('a merge moves the absences within an account, and deletes those that another account was entrusted with', async () => {
  const person = { displayName: 'Merge Me', dateOfBirth: '2000-02-03' };
  const targets = [await createAdult(owner, person), await createAdult(other, person)];
  for (const target of targets) {
    const duplicate = await createAdult(owner, person);
    const absence = await createAbsence(owner, duplicate.id, strain);
    const merged = await moderator.post(`/athletes/${duplicate.id}/merge`, { intoId: target.id });
    expect(merged.status).toBe(200);
    const { status, body } = await owner.get(`${absencesPath}/${absence.id}`);
    expect([status, body.athlete?.id]).toEqual(target === targets[0] ? [200, target.id] : [404, undefined]);
    if (target !== targets[0]) expect(idsOf(await other.get(`${absencesPath}?athleteId=${target.id}`))).toEqual([]);
  }
});
