/** Participants of seasons, and what organizers decide about them, through the public doors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { always, makes, makesAthlete, makesSeason, makesTeam } from './season-maker.ts';
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
  test('is a team that its organizer may know of, once, under the name it has then', async () => {
    const { path } = await makesSeason(owner);
    const [team, hidden, chess] = await Promise.all([
      makesTeam(other, 'Union'),
      makesTeam(other, 'Secret', { status: 'DRAFT' }),
      makesTeam(other, 'Netball', { sport: 'HANDBALL' }),
    ]);
    const made = await makes(owner, `${path}/participants`, { type: 'TEAM', teamId: team.id, group: 'A', seed: 3 });
    expect(made).toMatchObject({ name: 'Union', team: { id: team.id }, athlete: null, members: [], group: 'A', seed: 3 });
    const again = await owner.post(`${path}/participants`, { type: 'TEAM', teamId: team.id });
    expect(again.body).toMatchObject({ code: 'conflict', existingId: made.id });
    const refused = async (body: object) => (await owner.post(`${path}/participants`, { type: 'TEAM', ...body })).body.errors;
    const unknown = await refused({ teamId: crypto.randomUUID() });
    expect(unknown).toEqual([expect.objectContaining({ pointer: '/teamId', code: 'unknown_team' })]);
    expect(await refused({ teamId: hidden.id })).toEqual(unknown);
    expect(await refused({ teamId: chess.id })).toMatchObject([{ pointer: '/teamId', code: 'foreign_sport' }]);
    expect(await refused({ memberIds: [team.id, team.id] })).toMatchObject([
      { pointer: '/teamId', code: 'required' },
      { pointer: '/memberIds', code: 'not_for_type' },
      { pointer: '/memberIds/1', code: 'duplicate' },
      { pointer: '/memberIds/0', code: 'unknown_athlete' },
      { pointer: '/memberIds/1', code: 'unknown_athlete' },
    ]);
    const one = `${path}/participants/${made.id}`;
    expect((await owner.patch(one, { name: 'Union Berlin', group: null }, always)).body).toMatchObject({
      name: 'Union Berlin',
      group: null,
    });
    expect((await owner.patch(one, { name: null }, always)).body).toMatchObject({ name: 'Union' });
    const ofTeam = (id: string) => `{ participants(filter: { teamId: "${id}" }) { nodes { id } } }`;
    expect((await platform.anonymous.graphql(ofTeam(team.id))).body.data.participants.nodes).toEqual([{ id: made.id }]);
  });

  test('is an athlete or athletes that its organizer may know of; nobody learns of others', async () => {
    const { path, season } = await makesSeason(owner, { sport: 'SWIMMING', type: 'MEET' });
    const [seen, mine, theirs, late] = await Promise.all([
      makesAthlete(other, 'Ada Public'),
      makesAthlete(owner, 'Mia Minor', { birthYear: 2015 }),
      makesAthlete(other, 'Hidden Minor', { birthYear: 2015 }),
      makesAthlete(owner, 'Lea Late'),
    ]);
    const contest = await makes(owner, `${path}/contests`, { name: '4x50 m', eventCode: '4X50_FREE', relay: true });
    const swimmer = { type: 'ATHLETE', athleteId: seen.id, representsCountry: 'DE', entry: '2:09.41' };
    const made = await makes(owner, `${path}/participants`, swimmer);
    expect(made).toMatchObject({ name: null, athlete: { id: seen.id, displayName: 'Ada Public' }, representsCountry: 'DE' });
    await makes(owner, `${path}/participants`, { ...swimmer, contestId: contest.id });
    expect((await owner.post(`${path}/participants`, swimmer)).body).toMatchObject({ code: 'conflict', existingId: made.id });
    const refused = async (body: object) => (await owner.post(`${path}/participants`, body)).body.errors;
    const unknown = await refused({ type: 'ATHLETE', athleteId: crypto.randomUUID(), name: 'Ada' });
    expect(unknown).toMatchObject([{ pointer: '/name' }, { pointer: '/athleteId', code: 'unknown_athlete' }]);
    expect(await refused({ type: 'ATHLETE', athleteId: theirs.id, name: 'Ada' })).toEqual(unknown);
    expect(await refused({ type: 'PAIR', memberIds: [seen.id, mine.id, theirs.id] })).toMatchObject([
      { pointer: '/memberIds', code: 'out_of_bounds' },
      { pointer: '/memberIds/2', code: 'unknown_athlete' },
    ]);
    const relay = await makes(owner, `${path}/participants`, {
      type: 'RELAY',
      contestId: contest.id,
      name: 'Germany',
      memberIds: [mine.id, seen.id],
    });
    expect(relay.members).toEqual([
      { id: mine.id, displayName: 'Mia Minor' },
      { id: seen.id, displayName: 'Ada Public' },
    ]);
    const stage = await makes(owner, `${path}/stages`, { name: 'Final', type: 'FINAL', contestId: contest.id });
    await makes(owner, '/competitions/matches', {
      seasonId: season.id,
      stageId: stage.id,
      date: '2026-09-01',
      participants: [{ participantId: relay.id, lane: 4 }],
      status: 'FINISHED',
      result: { status: 'OFFICIAL', participants: [{ participantId: relay.id, mark: { text: '1:40.00' } }] },
    });
    const swum = async (id: string) => (await owner.get(`/athletes/${id}/results`)).body.data.length;
    expect([await swum(seen.id), await swum(mine.id), await swum(late.id)]).toEqual([1, 1, 0]);
    await owner.patch(`${path}/participants/${relay.id}`, { memberIds: [late.id, seen.id] }, always);
    expect([await swum(seen.id), await swum(mine.id), await swum(late.id)]).toEqual([1, 0, 1]);
    await owner.patch(`${path}/participants/${relay.id}`, { memberIds: [mine.id, seen.id] }, always);
    const read = await platform.anonymous.get(`${path}/participants/${relay.id}`);
    expect(read.body.members).toEqual([null, { id: seen.id, displayName: 'Ada Public' }]);
  });

  test('may be a relay whose members nobody tells, a rider of any team, and one whom nobody names', async () => {
    const { path } = await makesSeason(owner, { sport: 'CYCLING', type: 'SERIES' });
    const rider = await makesAthlete(owner, 'Rita Rider');
    const refused = async (body: object) => (await owner.post(`${path}/participants`, body)).body.errors;
    const relay = await makes(owner, `${path}/participants`, { type: 'RELAY', name: 'Fiji', representsCountry: 'FJ' });
    expect(relay).toMatchObject({ name: 'Fiji', members: [] });
    expect(await refused({ type: 'RELAY' })).toMatchObject([{ pointer: '/memberIds', code: 'required' }]);
    const entry = { type: 'ATHLETE', athleteId: rider.id, representsName: 'Team Polti' };
    expect(await makes(owner, `${path}/participants`, entry)).toMatchObject({
      representsName: 'Team Polti',
      representsTeam: null,
    });
    expect(await refused({ ...entry, representsTeamId: crypto.randomUUID() })).toMatchObject([
      { pointer: '/representsName', code: 'one_of' },
      { pointer: '/representsTeamId' },
    ]);
    const item = { type: 'ATHLETE', unnamed: true, externalIds: [{ scheme: 'FEED', value: 'nobody' }] };
    for (const outcome of ['created', 'unchanged'])
      expect((await owner.post(`${path}/participants/batch`, { items: [item] })).body.summary).toMatchObject({ [outcome]: 1 });
    expect(await refused({ type: 'ATHLETE' })).toMatchObject([{ pointer: '/athleteId', code: 'required' }]);
    expect(await refused({ ...entry, unnamed: true })).toMatchObject([{ pointer: '/athleteId', code: 'not_for_type' }]);
    expect(await refused({ type: 'RELAY', name: 'Fiji', unnamed: true })).toMatchObject([{ pointer: '/unnamed' }]);
  });

  test('is imported with its team once, and stays what it is', async () => {
    const { path } = await makesSeason(owner);
    const teams = await Promise.all(['Kickers', 'Rovers'].map((name) => makesTeam(owner, name)));
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
    const third = { type: 'TEAM', teamId: (await makesTeam(owner, 'Third')).id };
    const twins = ['twin-1', 'twin-2'].map((value) => ({
      ...third,
      externalIds: [{ scheme: 'FEED', value: `${path}-${value}` }],
    }));
    const twice = await upsert([...twins, { ...items[0], externalIds: [{ scheme: 'FEED', value: 'other' }] }]);
    expect(
      twice.data.map(({ outcome, error }: { outcome: string; error: { code: string } | null }) => error?.code ?? outcome),
    ).toEqual(['CREATED', 'conflict', 'conflict']);
    expect(twice.data[2].error.existingId).toEqual(expect.any(String));
    const { data } = await upsert([{ ...items[0], teamId: teams[1]?.id }]);
    expect(data[0].error).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/teamId', code: 'immutable' }] });
    expect((await upsert([{ ...items[0], bib: '7' }])).summary).toMatchObject({ updated: 1 });
    const missing = await owner.post(`/competitions/seasons/${crypto.randomUUID()}/participants/batch`, { items });
    expect(missing.status).toBe(404);
  });
});

describe('what an organizer decides', () => {
  test('takes points or adds time, for a reason, and keeps whom it is about', async () => {
    const { path } = await makesSeason(owner);
    const team = await makesTeam(owner, 'Docked');
    const participant = await makes(owner, `${path}/participants`, { type: 'TEAM', teamId: team.id });
    const facts = { participantId: participant.id, points: -3, reason: 'Unregistered player' };
    const adjustment = await makes(owner, `${path}/adjustments`, facts);
    expect(adjustment).toMatchObject({ points: -3, timeMs: null, stage: { name: 'League' }, participant: { name: 'Docked' } });
    const both = await owner.patch(`${path}/adjustments/${adjustment.id}`, { timeMs: 10 }, always);
    expect(both.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/points', code: 'one_of' }] });
    const timed = await owner.patch(`${path}/adjustments/${adjustment.id}`, { timeMs: 10, points: null }, always);
    expect(timed.body).toMatchObject({ points: null, timeMs: 10 });
    const nobody = await owner.post(`${path}/adjustments`, { ...facts, participantId: crypto.randomUUID() });
    expect(nobody.body).toMatchObject({ errors: [{ pointer: '/participantId', code: 'unknown_participant' }] });
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

  test('says who stands above whom, in the group it is about', async () => {
    const { path } = await makesSeason(owner);
    const stage = await makes(owner, `${path}/stages`, { name: 'Groups', type: 'GROUP', groups: ['A', 'B'] });
    const entered = await Promise.all(
      ['One', 'Two'].map(async (name) =>
        makes(owner, `${path}/participants`, { type: 'TEAM', teamId: (await makesTeam(owner, name)).id, group: 'A' }),
      ),
    );
    const participantIds = entered.map(({ id }) => id);
    const facts = { group: 'A', participantIds, criterion: 'DRAW_OF_LOTS', reason: 'Drawn on 3 June' };
    const decision = await makes(owner, `${path}/tie-break-decisions`, facts);
    expect(decision).toMatchObject({ stage: { id: stage.id }, group: 'A', participants: [{ name: 'One' }, { name: 'Two' }] });
    const refused = async (body: object) => (await owner.post(`${path}/tie-break-decisions`, { ...facts, ...body })).body.errors;
    expect(await refused({ group: 'C', participantIds: [participantIds[0], participantIds[0]] })).toMatchObject([
      { pointer: '/group', code: 'unknown_group' },
      { pointer: '/participantIds/1', code: 'duplicate' },
    ]);
    expect(await refused({ group: undefined })).toMatchObject([{ pointer: '/group', code: 'required' }]);
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
