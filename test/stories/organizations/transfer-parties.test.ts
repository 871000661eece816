/** Transfers between accounts: who proposes, confirms and reads them, and what remains of an erased or merged athlete. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember, idsOf } from './clubs.ts';
import { createMinor } from '../athletes/minors-fixture.ts';
import { shellsOf } from '../competitions/tables.ts';
import { careerOf, createTransfer, openCareer, transferOf, transfersPath } from './transfers.ts';

let platform: TestPlatform;
let agent: Client;
let seller: Client;
let buyer: Client;
let stranger: Client;
let moderator: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [agent, seller, buyer, stranger, moderator] = await Promise.all([
    platform.account({ account: 'Agent' }),
    platform.account({ account: 'Seller' }),
    platform.account({ account: 'Buyer' }),
    platform.account({ account: 'Stranger' }),
    platform.account({ account: 'Moderation', scopes: ['moderation:write'] }),
  ]);
});
afterAll(() => platform.close());

/** An athlete of the agent in the seller's club, and the buyer's club. */
async function open() {
  const career = await openCareer(agent, { clubs: [seller, buyer] });
  // the buyer sees the membership
  await platform.settled();
  return career;
}
const fee = { amountMinor: 750_000, currency: 'GBP' };

/** Which of agent, seller, buyer, stranger and anonymous callers read a transfer, by id, in lists and by GraphQL. */
async function readersOf(id: string, athleteId: string): Promise<string> {
  await platform.settled();
  const clients = { agent, seller, buyer, stranger, anonymous: platform.anonymous };
  const readers: string[] = [];
  for (const [name, client] of Object.entries(clients)) {
    const one = (await client.get(`${transfersPath}/${id}`)).status === 200;
    const listed = idsOf(await client.get(`${transfersPath}?ids=${id}&status=PENDING,COMPLETED,CANCELLED`)).includes(id);
    const graph = await client.graphql('query ($id: ID!) { transfer(id: $id) { fee { amountMinor } } }', { id });
    const nested = await client.graphql('query ($id: ID!) { athlete(id: $id) { transfers { nodes { id } } } }', {
      id: athleteId,
    });
    const isNested = JSON.stringify(nested.body).includes(id);
    expect([name, one, listed, graph.body.data.transfer !== null]).toEqual([name, one, one, one]);
    expect(isNested && !one).toBe(false);
    if (one) readers.push(name);
  }
  return readers.join();
}

const actions = ['confirm', 'decline'] as const;

describe('a proposed transfer', () => {
  test('of a new club waits for the athlete’s account, and the present club does not see it', async () => {
    const career = await open();
    const created = await createTransfer(buyer, transferOf(career, { fee }));
    expect(created).toMatchObject({
      status: 'PENDING',
      toMembership: { status: 'INVITED' },
      fromMembership: { status: 'ACTIVE' },
    });
    expect(await readersOf(created.id, career.athlete)).toBe('agent,buyer');
    expect(idsOf(await seller.get(`${transfersPath}?mine=true&limit=100`))).not.toContain(created.id);
    expect(await careerOf(agent, career.athlete)).toMatchObject([{ organization: career.from, status: 'ACTIVE', endDate: null }]);
    expect((await buyer.delete(`${transfersPath}/${created.id}`, { 'if-match': '*' })).body).toMatchObject({ code: 'in_use' });
    for (const action of actions)
      for (const client of [seller, stranger])
        expect((await client.post(`${transfersPath}/${created.id}/${action}`)).status).toBe(404);
    expect((await buyer.post(`${transfersPath}/${created.id}/confirm`)).body).toMatchObject({ code: 'not_owner' });

    const confirmed = await agent.post(`${transfersPath}/${created.id}/confirm`);
    expect(confirmed).toMatchObject({
      status: 200,
      body: {
        status: 'COMPLETED',
        fromMembership: { status: 'ENDED', endDate: '2026-06-30' },
        toMembership: { status: 'ACTIVE' },
      },
    });
    expect(await readersOf(created.id, career.athlete)).toBe('agent,seller,buyer,stranger,anonymous');
    expect((await agent.post(`${transfersPath}/${created.id}/confirm`)).body).toMatchObject({ code: 'invalid_transition' });
  });

  test('of the athlete’s account waits for the new club; confirming the membership confirms it', async () => {
    const career = await open();
    const created = await createTransfer(agent, transferOf(career, { type: 'LOAN', loanUntil: '2027-06-30' }));
    expect(created).toMatchObject({ status: 'PENDING', toMembership: { status: 'REQUESTED' } });
    const confirmed = await buyer.post(`/organizations/memberships/${created.toMembership.id}/confirm`);
    expect(confirmed.body).toMatchObject({ status: 'ACTIVE', type: 'LOAN', endDate: '2027-06-30' });
    expect((await agent.get(`${transfersPath}/${created.id}`)).body).toMatchObject({
      status: 'COMPLETED',
      fromMembership: { status: 'ON_LOAN' },
    });
  });

  test('is cancelled when it is declined or taken back, and can be proposed again', async () => {
    const career = await open();
    for (const client of [buyer, agent]) {
      const created = await createTransfer(agent, transferOf(career));
      expect((await client.post(`${transfersPath}/${created.id}/decline`)).body).toMatchObject({
        status: 'CANCELLED',
        toMembership: { status: 'DECLINED' },
      });
      expect(await readersOf(created.id, career.athlete)).toBe('agent,buyer');
    }
    expect(await careerOf(agent, career.athlete)).toMatchObject([{ status: 'ACTIVE', endDate: null }]);
  });
});

describe('a transfer', () => {
  test('is written by the parties of the memberships only', async () => {
    const career = await open();
    for (const client of [stranger, seller])
      expect((await client.post(transfersPath, transferOf(career))).body).toMatchObject({ status: 403, code: 'not_owner' });
    expect((await platform.anonymous.post(transfersPath, transferOf(career))).status).toBe(401);
    const release = { athleteId: career.athlete, type: 'FREE', date: '2026-07-01', fromOrganizationId: career.from };
    for (const client of [stranger, buyer])
      expect((await client.post(transfersPath, release)).body).toMatchObject({ status: 403, code: 'not_owner' });
    const { id } = await createTransfer(seller, release);
    for (const change of [{ fee: null }, { loanUntil: '2027-01-01' }])
      expect((await stranger.patch(`${transfersPath}/${id}`, change, { 'if-match': '*' })).body.code).toBe('not_owner');
    const retirement = { athleteId: career.athlete, type: 'RETIREMENT', date: '2027-07-01' };
    expect((await seller.post(transfersPath, retirement)).body).toMatchObject({ code: 'not_owner' });
  });

  test('that is confirmed belongs to the new club: the others set their own external ids only', async () => {
    const career = await open();
    const { id } = await createTransfer(buyer, transferOf(career, { fee, externalIds: [{ scheme: 'CRM', value: 'b-1' }] }));
    await agent.post(`${transfersPath}/${id}/confirm`);
    await platform.settled();
    const patch = (client: Client, body: object) => client.patch(`${transfersPath}/${id}`, body, { 'if-match': '*' });
    expect((await patch(seller, { fee: { amountMinor: 1 } })).body).toMatchObject({ code: 'not_owner' });
    const externalIds = [{ scheme: 'CRM', value: 's-1' }];
    expect((await patch(seller, { externalIds })).body).toMatchObject({ externalIds });
    expect((await platform.anonymous.get(`${transfersPath}/${id}`)).body.externalIds).toEqual([{ scheme: 'CRM', value: 'b-1' }]);
    expect(idsOf(await stranger.get(`${transfersPath}?externalId=CRM:s-1`))).toEqual([]);
    expect(idsOf(await seller.get(`${transfersPath}?externalId=CRM:s-1`))).toEqual([id]);
    expect((await patch(buyer, { fee: { amountMinor: 1 } })).body.fee).toMatchObject({ amountMinor: 1, currency: 'GBP' });
  });

  test('of a hidden athlete is visible to its parties; others receive a tombstone when the profile is hidden', async () => {
    const career = await open();
    const { id } = await createTransfer(buyer, transferOf(career));
    await agent.post(`${transfersPath}/${id}/confirm`);
    await platform.settled();
    const change = async (visibility: string): Promise<string> => {
      const since = new Date().toISOString();
      expect((await agent.patch(`/athletes/${career.athlete}`, { visibility }, { 'if-match': '*' })).status).toBe(200);
      await platform.settled();
      return since;
    };
    const changes = async (since: string) => {
      const { body } = await platform.anonymous.get(`${transfersPath}?updatedSince=${since}`);
      return {
        updated: body.data.map((each: { id: string }) => each.id),
        deleted: body.tombstones.map((each: { id: string }) => each.id),
      };
    };
    const hidden = await change('PRIVATE');
    expect(await readersOf(id, career.athlete)).toBe('agent,seller,buyer');
    expect(idsOf(await buyer.get(`${transfersPath}?athleteId=${career.athlete}`))).toEqual([]);
    expect(await changes(hidden)).toEqual({ updated: [], deleted: [id] });
    const visible = await change('PUBLIC');
    expect(await changes(visible)).toEqual({ updated: [id], deleted: [] });
    await moderator.post(`/organizations/${career.from}/suspend`, { reason: 'Under review' });
    expect(await readersOf(id, career.athlete)).toBe('agent,seller,buyer');
    await moderator.post(`/organizations/${career.from}/reinstate`);
    expect(await readersOf(id, career.athlete)).toBe('agent,seller,buyer,stranger,anonymous');
  });

  test('of a minor is visible to its parties only, also with a guardian’s consent', async () => {
    const athlete = await createMinor(agent, []);
    const [from, to] = [await createClub(agent), await createClub(agent)];
    const member = await createMember(agent, from.id, athlete, { startDate: '2024-07-01', role: 'YOUTH_PLAYER' });
    const career = { athlete, from: from.id, to: to.id, member: member.id };
    const { id } = await createTransfer(agent, transferOf(career, { type: 'YOUTH_PROMOTION' }));
    expect(await readersOf(id, athlete)).toBe('agent');
  });
});

describe('an athlete', () => {
  test('exports all transfers; the erasure deletes them', async () => {
    const career = await open();
    const { id } = await createTransfer(buyer, transferOf(career, { fee }));
    await agent.post(`${transfersPath}/${id}/confirm`);
    const { id: pending } = await createTransfer(buyer, {
      ...transferOf(career, {
        type: 'LOAN',
        date: '2027-01-01',
        fromOrganizationId: career.to,
        toOrganizationId: (await createClub(buyer)).id,
      }),
    });
    const { body } = await agent.get(`/athletes/${career.athlete}/export?limit=1`);
    expect(body.transfers).toMatchObject({ data: [{ id: pending, status: 'PENDING' }], page: { hasMore: true } });
    const next = await agent.get(`/athletes/${career.athlete}/export?limit=1&transfersCursor=${body.transfers.page.nextCursor}`);
    expect(next.body.transfers.data).toMatchObject([{ id, fee }]);
    expect((await agent.post(`/athletes/${career.athlete}/erase`)).status).toBe(200);
    await platform.settled();
    expect(await shellsOf(platform.database, 'organizations.transfer', [id, pending])).toEqual([]);
    for (const client of [agent, buyer]) expect((await client.get(`${transfersPath}/${id}`)).status).toBe(404);
  });

  test('of two merged profiles has the transfers of both, once', async () => {
    const career = await open();
    const { id } = await createTransfer(buyer, transferOf(career));
    await agent.post(`${transfersPath}/${id}/confirm`);
    const target = await createAdult(stranger);
    await platform.settled();
    expect((await moderator.post(`/athletes/${career.athlete}/merge`, { intoId: target.id })).status).toBe(200);
    await platform.settled();
    expect(idsOf(await platform.anonymous.get(`${transfersPath}?athleteId=${target.id}`))).toEqual([id]);
    expect((await stranger.get(`/athletes/${target.id}/export`)).body.transfers.data).toMatchObject([{ id }]);
  });
});
