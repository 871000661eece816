/** Participants, adjustments and tie-break decisions through the public APIs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { always, createResource, createTestAthlete, createSeason, createTeam } from './season-fixtures.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'League' }), platform.account({ account: 'Other' })]);
});
afterAll(() => platform.close());

describe('a participant', () => {
  test('is a team visible to the organizer, entered once with its current name', async () => {
    const { path } = await createSeason(owner);
    const [team, hidden, chess] = await Promise.all([
      createTeam(other, 'Union'),
      createTeam(other, 'Secret', { status: 'DRAFT' }),
      createTeam(other, 'Netball', { sport: 'HANDBALL' }),
    ]);
    const created = await createResource(owner, `${path}/participants`, { type: 'TEAM', teamId: team.id, group: 'A', seed: 3 });
    expect(created).toMatchObject({ name: 'Union', team: { id: team.id }, athlete: null, members: [], group: 'A', seed: 3 });
    const repeated = await owner.post(`${path}/participants`, { type: 'TEAM', teamId: team.id });
    expect(repeated.body).toMatchObject({ code: 'conflict', existingId: created.id });
    const rejected = async (body: object) => (await owner.post(`${path}/participants`, { type: 'TEAM', ...body })).body.errors;
    const unknown = await rejected({ teamId: crypto.randomUUID() });
    expect(unknown).toEqual([expect.objectContaining({ pointer: '/teamId', code: 'unknown_team' })]);
    expect(await rejected({ teamId: hidden.id })).toEqual(unknown);
    expect(await rejected({ teamId: chess.id })).toMatchObject([{ pointer: '/teamId', code: 'foreign_sport' }]);
    expect(await rejected({ memberIds: [team.id, team.id] })).toMatchObject([
      { pointer: '/teamId', code: 'required' },
      { pointer: '/memberIds', code: 'not_for_type' },
      { pointer: '/memberIds/1', code: 'duplicate' },
      { pointer: '/memberIds/0', code: 'unknown_athlete' },
      { pointer: '/memberIds/1', code: 'unknown_athlete' },
    ]);
    const one = `${path}/participants/${created.id}`;
    expect((await owner.patch(one, { name: 'Union Berlin', group: null }, always)).body).toMatchObject({
      name: 'Union Berlin',
      group: null,
    });
    expect((await owner.patch(one, { name: null }, always)).body).toMatchObject({ name: 'Union' });
    const ofTeam = (id: string) => `{ participants(filter: { teamId: "${id}" }) { nodes { id } } }`;
    expect((await platform.anonymous.graphql(ofTeam(team.id))).body.data.participants.nodes).toEqual([{ id: created.id }]);
  });

  test('is one or more athletes visible to the organizer, without revealing hidden ones', async () => {
    const { path, season } = await createSeason(owner, { sport: 'SWIMMING', type: 'MEET' });
    const [publicTeam, mine, theirs, late] = await Promise.all([
      createTestAthlete(other, 'Ada Public'),
      createTestAthlete(owner, 'Mia Minor', { birthYear: 2015 }),
      createTestAthlete(other, 'Hidden Minor', { birthYear: 2015 }),
      createTestAthlete(owner, 'Lea Late'),
    ]);
    const contest = await createResource(owner, `${path}/contests`, { name: '4x50 m', eventCode: '4X50_FREE', relay: true });
    const swimmer = { type: 'ATHLETE', athleteId: publicTeam.id, representsCountry: 'DE', entry: '2:09.41' };
    const created = await createResource(owner, `${path}/participants`, swimmer);
    expect(created).toMatchObject({
      name: null,
      athlete: { id: publicTeam.id, displayName: 'Ada Public' },
      representsCountry: 'DE',
    });
    await createResource(owner, `${path}/participants`, { ...swimmer, contestId: contest.id });
    expect((await owner.post(`${path}/participants`, swimmer)).body).toMatchObject({ code: 'conflict', existingId: created.id });
    const rejected = async (body: object) => (await owner.post(`${path}/participants`, body)).body.errors;
    const unknown = await rejected({ type: 'ATHLETE', athleteId: crypto.randomUUID(), name: 'Ada' });
    expect(unknown).toMatchObject([{ pointer: '/name' }, { pointer: '/athleteId', code: 'unknown_athlete' }]);
    expect(await rejected({ type: 'ATHLETE', athleteId: theirs.id, name: 'Ada' })).toEqual(unknown);
    expect(await rejected({ type: 'PAIR', memberIds: [publicTeam.id, mine.id, theirs.id] })).toMatchObject([
      { pointer: '/memberIds', code: 'out_of_bounds' },
      { pointer: '/memberIds/2', code: 'unknown_athlete' },
    ]);
    const relay = await createResource(owner, `${path}/participants`, {
      type: 'RELAY',
      contestId: contest.id,
      name: 'Germany',
      memberIds: [mine.id, publicTeam.id],
    });
    expect(relay.members).toEqual([
      { id: mine.id, displayName: 'Mia Minor', imageUrl: null },
      { id: publicTeam.id, displayName: 'Ada Public', imageUrl: null },
    ]);
    const stage = await createResource(owner, `${path}/stages`, { name: 'Final', type: 'FINAL', contestId: contest.id });
    await createResource(owner, '/competitions/matches', {
      seasonId: season.id,
      stageId: stage.id,
      date: '2026-09-01',
      participants: [{ participantId: relay.id, lane: 4 }],
      status: 'FINISHED',
      result: { status: 'OFFICIAL', participants: [{ participantId: relay.id, mark: { text: '1:40.00' } }] },
    });
    const swum = async (id: string) => (await owner.get(`/athletes/${id}/results`)).body.data.length;
    expect([await swum(publicTeam.id), await swum(mine.id), await swum(late.id)]).toEqual([1, 1, 0]);
    await owner.patch(`${path}/participants/${relay.id}`, { memberIds: [late.id, publicTeam.id] }, always);
    expect([await swum(publicTeam.id), await swum(mine.id), await swum(late.id)]).toEqual([1, 0, 1]);
    await owner.patch(`${path}/participants/${relay.id}`, { memberIds: [mine.id, publicTeam.id] }, always);
    const read = await platform.anonymous.get(`${path}/participants/${relay.id}`);
    expect(read.body.members).toEqual([null, { id: publicTeam.id, displayName: 'Ada Public', imageUrl: null }]);
  });

  test('may be a relay without members, a rider of any team, and an unnamed athlete', async () => {
    const { path } = await createSeason(owner, { sport: 'CYCLING', type: 'SERIES' });
    const rider = await createTestAthlete(owner, 'Rita Rider');
    const rejected = async (body: object) => (await owner.post(`${path}/participants`, body)).body.errors;
    const relay = await createResource(owner, `${path}/participants`, { type: 'RELAY', name: 'Fiji', representsCountry: 'FJ' });
    expect(relay).toMatchObject({ name: 'Fiji', members: [] });
    expect(await rejected({ type: 'RELAY' })).toMatchObject([{ pointer: '/memberIds', code: 'required' }]);
    const entry = { type: 'ATHLETE', athleteId: rider.id, representsName: 'Team Polti' };
    expect(await createResource(owner, `${path}/participants`, entry)).toMatchObject({
      representsName: 'Team Polti',
      representsTeam: null,
    });
    expect(await rejected({ ...entry, representsTeamId: crypto.randomUUID() })).toMatchObject([
      { pointer: '/representsName', code: 'one_of' },
      { pointer: '/representsTeamId' },
    ]);
    const item = { type: 'ATHLETE', unnamed: true, externalIds: [{ scheme: 'FEED', value: 'unknown' }] };
    for (const outcome of ['created', 'unchanged'])
      expect((await owner.post(`${path}/participants/batch`, { items: [item] })).body.summary).toMatchObject({ [outcome]: 1 });
    expect(await rejected({ type: 'ATHLETE' })).toMatchObject([{ pointer: '/athleteId', code: 'required' }]);
    expect(await rejected({ ...entry, unnamed: true })).toMatchObject([{ pointer: '/athleteId', code: 'not_for_type' }]);
    expect(await rejected({ type: 'RELAY', name: 'Fiji', unnamed: true })).toMatchObject([{ pointer: '/unnamed' }]);
  });

  test('is imported once, and its identity cannot change', async () => {
    const { path } = await createSeason(owner);
    const teams = await Promise.all(['Kickers', 'Rovers'].map((name) => createTeam(owner, name)));
    const items = teams.map(({ id }, index) => ({
      type: 'TEAM',
      teamId: id,
      externalIds: [{ scheme: 'FEED', value: `${path}-${index}` }],
    }));
    const upsert = async (given: readonly object[]) => (await owner.post(`${path}/participants/batch`, { items: given })).body;
    expect((await upsert(items)).summary).toMatchObject({ created: 2 });
    platform.statements();
    expect((await upsert([...items, { type: 'TEAM', teamId: teams[0]?.id }])).summary).toMatchObject({ unchanged: 2, failed: 1 });
    const once = platform.statements().filter((name) => /^(teams|seasons|participants)\./.test(name));
    expect(once.toSorted()).toEqual(['participants.existing', 'participants.lockContests', 'seasons.lock', 'teams.byIds']);
    const third = { type: 'TEAM', teamId: (await createTeam(owner, 'Third')).id };
    const twins = ['twin-1', 'twin-2'].map((value) => ({
      ...third,
      externalIds: [{ scheme: 'FEED', value: `${path}-${value}` }],
    }));
    const duplicated = await upsert([...twins, { ...items[0], externalIds: [{ scheme: 'FEED', value: 'other' }] }]);
    expect(
      duplicated.data.map(({ outcome, error }: { outcome: string; error: { code: string } | null }) => error?.code ?? outcome),
    ).toEqual(['CREATED', 'conflict', 'conflict']);
    expect(duplicated.data[2].error.existingId).toEqual(expect.any(String));
    const { data } = await upsert([{ ...items[0], teamId: teams[1]?.id }]);
    expect(data[0].error).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/teamId', code: 'immutable' }] });
    expect((await upsert([{ ...items[0], bib: '7' }])).summary).toMatchObject({ updated: 1 });
    const missing = await owner.post(`/competitions/seasons/${crypto.randomUUID()}/participants/batch`, { items });
    expect(missing.status).toBe(404);
  });
});

describe('a decision of the organizer', () => {
  test('deducts points or adds time, with a reason, and cannot change its participant', async () => {
    const { path } = await createSeason(owner);
    const team = await createTeam(owner, 'Docked');
    const participant = await createResource(owner, `${path}/participants`, { type: 'TEAM', teamId: team.id });
    const facts = { participantId: participant.id, points: -3, reason: 'Unregistered player' };
    const adjustment = await createResource(owner, `${path}/adjustments`, facts);
    expect(adjustment).toMatchObject({ points: -3, timeMs: null, stage: { name: 'League' }, participant: { name: 'Docked' } });
    const both = await owner.patch(`${path}/adjustments/${adjustment.id}`, { timeMs: 10 }, always);
    expect(both.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/points', code: 'one_of' }] });
    const timed = await owner.patch(`${path}/adjustments/${adjustment.id}`, { timeMs: 10, points: null }, always);
    expect(timed.body).toMatchObject({ points: null, timeMs: 10 });
    const unknown = await owner.post(`${path}/adjustments`, { ...facts, participantId: crypto.randomUUID() });
    expect(unknown.body).toMatchObject({ errors: [{ pointer: '/participantId', code: 'unknown_participant' }] });
    const used = await owner.delete(`${path}/participants/${participant.id}`, always);
    expect(used.body).toMatchObject({ code: 'in_use', detail: expect.stringContaining('adjustment') });
    expect((await owner.delete(`${path}/stages/${adjustment.stage.id}`, always)).body).toMatchObject({ code: 'in_use' });
    expect(
      (await owner.delete(`${path}/contests/${(await owner.get(`${path}/contests`)).body.data[0].id}`, always)).body,
    ).toMatchObject({
      code: 'in_use',
    });
    expect((await platform.anonymous.get(`${path}/adjustments?participantId=${participant.id}`)).body.data).toHaveLength(1);
    expect((await owner.delete(`${path}/adjustments/${adjustment.id}`, always)).status).toBe(200);
    expect((await owner.delete(`${path}/participants/${participant.id}`, always)).status).toBe(200);
  });

  test('orders tied participants in a group', async () => {
    const { path } = await createSeason(owner);
    const stage = await createResource(owner, `${path}/stages`, { name: 'Groups', type: 'GROUP', groups: ['A', 'B'] });
    const entered = await Promise.all(
      ['One', 'Two'].map(async (name) =>
        createResource(owner, `${path}/participants`, { type: 'TEAM', teamId: (await createTeam(owner, name)).id, group: 'A' }),
      ),
    );
    const participantIds = entered.map(({ id }) => id);
    const facts = { group: 'A', participantIds, criterion: 'DRAW_OF_LOTS', reason: 'Drawn on 3 June' };
    const decision = await createResource(owner, `${path}/tie-break-decisions`, facts);
    expect(decision).toMatchObject({ stage: { id: stage.id }, group: 'A', participants: [{ name: 'One' }, { name: 'Two' }] });
    const rejected = async (body: object) => (await owner.post(`${path}/tie-break-decisions`, { ...facts, ...body })).body.errors;
    expect(await rejected({ group: 'C', participantIds: [participantIds[0], participantIds[0]] })).toMatchObject([
      { pointer: '/group', code: 'unknown_group' },
      { pointer: '/participantIds/1', code: 'duplicate' },
    ]);
    expect(await rejected({ group: undefined })).toMatchObject([{ pointer: '/group', code: 'required' }]);
    expect((await owner.delete(`${path}/participants/${participantIds[0]}`, always)).body).toMatchObject({ code: 'in_use' });
    const turned = await owner.patch(
      `${path}/tie-break-decisions/${decision.id}`,
      { participantIds: participantIds.toReversed() },
      always,
    );
    expect(turned.body).toMatchObject({ version: 2, participants: [{ name: 'Two' }, { name: 'One' }] });
    expect((await platform.anonymous.get(`${path}/tie-break-decisions?stageId=${stage.id}`)).body.data).toHaveLength(1);
  });
});
