/** A transfer and the memberships that it ends and starts, for each type, over REST and GraphQL. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember, createTeam, idsOf } from './clubs.ts';
import { careerOf, createTransfer, day, openCareer, transferOf, transfersPath } from './transfers.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Club' });
});
afterAll(() => platform.close());

const any = { 'if-match': '*' };
const fee = { amountMinor: 1_250_000_000, currency: 'EUR' };

describe('a permanent transfer', () => {
  test('ends one membership, starts the next, and is listed by athlete, clubs, teams and dates', async () => {
    const career = await openCareer(owner);
    const team = await createTeam(owner, career.to);
    const input = transferOf(career, { toTeamId: team.id, fee, contractUntil: '2030-06-30', shirtNumber: 3 });
    const created = await owner.post(transfersPath, input);
    expect(created).toMatchObject({
      status: 201,
      body: {
        status: 'COMPLETED',
        type: 'PERMANENT',
        date: '2026-07-01',
        sport: 'FOOTBALL',
        athlete: { id: career.athlete },
        fromOrganization: { id: career.from },
        fromMembership: { id: career.member, status: 'ENDED', endDate: '2026-06-30' },
        toOrganization: { id: career.to },
        toTeam: { id: team.id },
        toMembership: { status: 'ACTIVE', startDate: '2026-07-01', endDate: null },
        fee: { ...fee, disclosed: true },
        loanUntil: null,
      },
    });
    expect(await careerOf(owner, career.athlete)).toEqual([
      { organization: career.to, status: 'ACTIVE', type: 'PERMANENT', role: 'PLAYER', startDate: '2026-07-01', endDate: null },
      {
        organization: career.from,
        status: 'ENDED',
        type: 'PERMANENT',
        role: 'PLAYER',
        startDate: '2020-07-01',
        endDate: '2026-06-30',
      },
    ]);
    const { id, toMembership } = created.body;
    expect((await owner.get(`/organizations/memberships/${toMembership.id}`)).body).toMatchObject({
      contractUntil: '2030-06-30',
      shirtNumber: 3,
      positions: ['LB'],
      team: { id: team.id },
    });
    await platform.settled();
    const found = [
      `athleteId=${career.athlete}`,
      `organizationId=${career.from}`,
      `organizationId=${career.from}&direction=OUT`,
      `organizationId=${career.to}&direction=IN`,
      `teamId=${team.id}&direction=IN`,
      `athleteId=${career.athlete}&dateFrom=2026-07-01&dateTo=2026-07-01&type=PERMANENT,LOAN&sport=FOOTBALL`,
      `ids=${id}`,
      `organizationId=${career.to}&onLoan=false`,
      `organizationId=${career.to}&updatedSince=2020-01-01T00:00:00Z`,
    ];
    for (const query of found)
      expect([query, idsOf(await platform.anonymous.get(`${transfersPath}?${query}`))]).toEqual([query, [id]]);
    const none = [
      `organizationId=${career.from}&direction=IN`,
      `organizationId=${career.to}&direction=OUT`,
      `athleteId=${career.athlete}&dateFrom=2026-07-02`,
      `athleteId=${career.athlete}&dateTo=2026-06-30`,
      `athleteId=${career.athlete}&type=LOAN`,
      `athleteId=${career.athlete}&sport=TENNIS`,
      `athleteId=${career.athlete}&onLoan=true`,
    ];
    for (const query of none)
      expect([query, idsOf(await platform.anonymous.get(`${transfersPath}?${query}`))]).toEqual([query, []]);
    const { data } = (
      await platform.anonymous.graphql(
        `query ($id: ID!, $athlete: ID!) {
          transfer(id: $id) { fee { amountMinor } fromMembership { organization { name } } toMembership { startDate } }
          athlete(id: $athlete) { transfers { nodes { date toOrganization { id } } } }
          node(id: $id) { __typename }
        }`,
        { id, athlete: career.athlete },
      )
    ).body;
    expect(data).toMatchObject({
      transfer: { fee: { amountMinor: fee.amountMinor }, toMembership: { startDate: '2026-07-01' } },
      athlete: { transfers: { nodes: [{ date: '2026-07-01', toOrganization: { id: career.to } }] } },
      node: { __typename: 'Transfer' },
    });
  });

  test('with a later date leaves the current membership in force until then', async () => {
    const career = await openCareer(owner);
    await createTransfer(owner, transferOf(career, { date: day(30) }));
    expect(await careerOf(owner, career.athlete)).toMatchObject([
      { organization: career.to, status: 'ACTIVE', startDate: day(30) },
      { organization: career.from, status: 'ACTIVE', endDate: day(29) },
    ]);
    await platform.settled();
    const { body } = await platform.anonymous.get(`/athletes/${career.athlete}?include=organization`);
    expect(body.organization).toMatchObject({ id: career.from });
  });

  test('from a club outside the platform, or of a free agent, only starts a membership', async () => {
    const club = await createClub(owner);
    const { id: athleteId } = await createAdult(owner);
    const body = await createTransfer(owner, {
      athleteId,
      type: 'PERMANENT',
      date: '2025-01-15',
      toOrganizationId: club.id,
      fee,
    });
    expect(body).toMatchObject({ status: 'COMPLETED', fromOrganization: null, fromMembership: null });
    expect(await careerOf(owner, athleteId)).toMatchObject([{ organization: club.id, startDate: '2025-01-15' }]);
  });

  test('of the past uses the memberships that exist', async () => {
    const career = await openCareer(owner, { member: { endDate: '2023-06-30' } });
    const next = await createMember(owner, career.to, career.athlete, { startDate: '2023-07-01', sport: 'FOOTBALL' });
    const body = await createTransfer(owner, transferOf(career, { date: '2023-07-01' }));
    expect(body).toMatchObject({ fromMembership: { id: career.member }, toMembership: { id: next.id } });
    expect(await careerOf(owner, career.athlete)).toHaveLength(2);
  });

  test('exists once, also when it is sent concurrently', async () => {
    const career = await openCareer(owner);
    const responses = await Promise.all([1, 2, 3].map(() => owner.post(transfersPath, transferOf(career))));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409].toSorted());
    const again = await owner.post(transfersPath, transferOf(career));
    const created = responses.find(({ status }) => status === 201);
    expect(again.body).toMatchObject({ status: 409, code: 'conflict', existingId: created?.body.id });
    expect(await careerOf(owner, career.athlete)).toHaveLength(2);
  });
});

describe('a loan', () => {
  test('keeps the lending club, is on the list of current loans until it ends, and returns', async () => {
    const career = await openCareer(owner);
    const until = day(200);
    const loan = await createTransfer(
      owner,
      transferOf(career, { type: 'LOAN', date: day(-20), loanUntil: until, fee: { disclosed: false } }),
    );
    expect(loan).toMatchObject({
      status: 'COMPLETED',
      loanUntil: until,
      fee: { disclosed: false, amountMinor: null, currency: null },
      fromMembership: { status: 'ON_LOAN', endDate: null },
      toMembership: { status: 'ACTIVE', endDate: until },
    });
    await platform.settled();
    const loans = async (query: string) => idsOf(await platform.anonymous.get(`${transfersPath}?onLoan=true&${query}`));
    expect(await loans(`organizationId=${career.to}&direction=IN`)).toEqual([loan.id]);
    expect(await loans(`organizationId=${career.from}&direction=OUT`)).toEqual([loan.id]);

    const extended = await owner.patch(`${transfersPath}/${loan.id}`, { loanUntil: day(300) }, any);
    expect(extended.body).toMatchObject({ loanUntil: day(300), toMembership: { endDate: day(300) } });

    const back = { athleteId: career.athlete, type: 'LOAN_RETURN', date: day(-1) };
    const ended = await createTransfer(owner, { ...back, fromOrganizationId: career.to, toOrganizationId: career.from });
    expect(ended).toMatchObject({
      fromMembership: { status: 'ENDED', endDate: day(-2) },
      toMembership: { id: career.member, status: 'ACTIVE', endDate: null },
    });
    expect(await loans(`athleteId=${career.athlete}`)).toEqual([]);
    expect(idsOf(await owner.get(`${transfersPath}?athleteId=${career.athlete}`))).toEqual([ended.id, loan.id]);
  });

  test('that ended in the past changes nothing of the lending club’s membership', async () => {
    const career = await openCareer(owner);
    const loan = transferOf(career, { type: 'LOAN', date: '2022-01-10', loanUntil: '2022-06-30' });
    expect(await createTransfer(owner, loan)).toMatchObject({ fromMembership: { status: 'ACTIVE' }, loanUntil: '2022-06-30' });
    expect(idsOf(await owner.get(`${transfersPath}?athleteId=${career.athlete}&onLoan=true`))).toEqual([]);
  });

  test('ends when the lending club sells the athlete', async () => {
    const career = await openCareer(owner);
    await createTransfer(owner, transferOf(career, { type: 'LOAN', date: '2026-02-01' }));
    await createTransfer(owner, transferOf(career, { date: '2026-08-01' }));
    expect(await careerOf(owner, career.athlete)).toMatchObject([
      { organization: career.to, type: 'PERMANENT', status: 'ACTIVE', startDate: '2026-08-01' },
      { organization: career.to, type: 'LOAN', status: 'ENDED', endDate: '2026-07-31' },
      { organization: career.from, type: 'PERMANENT', status: 'ENDED', endDate: '2026-07-31' },
    ]);
  });

  test('made with a membership’s own transfer is listed, too', async () => {
    const career = await openCareer(owner);
    const path = `/organizations/memberships/${career.member}/transfer`;
    const input = { organizationId: career.to, startDate: '2026-03-01', type: 'LOAN' };
    expect(await owner.post(path, input)).toMatchObject({ status: 201, body: { type: 'LOAN', status: 'ACTIVE' } });
    const { body } = await owner.get(`${transfersPath}?athleteId=${career.athlete}&onLoan=true`);
    expect(body.data).toMatchObject([{ type: 'LOAN', date: '2026-03-01', fromOrganization: { id: career.from } }]);
    expect(await careerOf(owner, career.athlete)).toMatchObject([{ type: 'LOAN' }, { status: 'ON_LOAN', endDate: null }]);
  });
});

describe('other types', () => {
  test('a free transfer without a new club makes a free agent, and one without a previous club ends that', async () => {
    const career = await openCareer(owner);
    const { athlete: athleteId, from, to } = career;
    const left = await createTransfer(owner, { athleteId, type: 'FREE', date: '2026-07-01', fromOrganizationId: from });
    expect(left).toMatchObject({ toOrganization: null, toMembership: null, fromMembership: { endDate: '2026-06-30' } });
    await createTransfer(owner, { athleteId, type: 'FREE', date: '2026-09-01', toOrganizationId: to });
    expect(await careerOf(owner, athleteId)).toMatchObject([
      { organization: to, startDate: '2026-09-01' },
      { organization: from, endDate: '2026-06-30' },
    ]);
  });

  test('a youth promotion moves a player between teams of one club', async () => {
    const career = await openCareer(owner, { member: { role: 'YOUTH_PLAYER' } });
    const first = await createTeam(owner, career.from);
    const body = await createTransfer(owner, {
      ...transferOf(career, { type: 'YOUTH_PROMOTION', toOrganizationId: career.from, toTeamId: first.id }),
    });
    expect(body).toMatchObject({ fromTeam: null, toTeam: { id: first.id } });
    expect(await careerOf(owner, career.athlete)).toMatchObject([{ role: 'PLAYER' }, { role: 'YOUTH_PLAYER', status: 'ENDED' }]);
  });

  test('a retirement ends the membership', async () => {
    const career = await openCareer(owner);
    const { athlete: athleteId, from } = career;
    await createTransfer(owner, { athleteId, type: 'RETIREMENT', date: '2026-07-01', fromOrganizationId: from });
    expect(await careerOf(owner, athleteId)).toMatchObject([{ status: 'ENDED', endDate: '2026-06-30' }]);
    const { id: other } = await createAdult(owner);
    expect(await createTransfer(owner, { athleteId: other, type: 'RETIREMENT', date: '2026-07-01' })).toMatchObject({
      fromOrganization: null,
      toOrganization: null,
    });
  });
});
