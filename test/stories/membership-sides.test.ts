/** A membership has two sides: each gives it ids of its own, and only the organization's changes its facts. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { createAdult, createClub, createMember, idsOf, memberOf } from './clubs.ts';

let world: World;
let club: Client;
let agent: Client;
let stranger: Client;
beforeAll(async () => {
  world = await openWorld();
  [club, agent, stranger] = await Promise.all([
    world.account({ account: 'Club' }),
    world.account({ account: 'Agent' }),
    world.account({ account: 'Stranger' }),
  ]);
});
afterAll(() => world.close());

const batch = async (client: Client, ...items: object[]) =>
  (await client.post('/organizations/memberships/batch', { items })).body;
const idOf = (scheme: string, value: string) => ({ externalIds: [{ scheme, value }] });
const idsSeen = async (client: Client, id: string) =>
  (await client.get(`/organizations/memberships/${id}`)).body.externalIds.map((each: { value: string }) => each.value);

describe('the ids of a membership', () => {
  test('belong to the side that gave them: each sees its own, everybody else those of the organization', async () => {
    const { id: organizationId } = await createClub(club);
    const { id: personId } = await createAdult(agent);
    const asked = memberOf(organizationId, personId, idOf('CRM', 'agent-1'));
    const first = await batch(agent, asked);
    expect(first.data).toMatchObject([{ outcome: 'CREATED' }]);
    const [{ id }] = first.data;
    expect((await batch(agent, asked)).data).toMatchObject([{ outcome: 'UNCHANGED', id }]);
    expect(await idsSeen(club, id)).toEqual([]);
    await club.post(`/organizations/memberships/${id}/confirm`);
    const patched = await club.patch(`/organizations/memberships/${id}`, idOf('CRM', 'club-1'), { 'if-match': '*' });
    expect(patched.body.externalIds).toEqual([{ scheme: 'CRM', value: 'club-1' }]);
    await world.settled();
    expect(await idsSeen(agent, id)).toEqual(['agent-1']);
    for (const client of [club, stranger, world.anonymous]) expect(await idsSeen(client, id)).toEqual(['club-1']);
    for (const [client, value, found] of [
      [agent, 'agent-1', [id]],
      [agent, 'club-1', []],
      [club, 'agent-1', []],
      [club, 'club-1', [id]],
      [stranger, 'agent-1', []],
      [world.anonymous, 'agent-1', []],
      [world.anonymous, 'club-1', [id]],
    ] as const)
      expect(idsOf(await client.get(`/organizations/memberships?externalId=CRM:${value}`))).toEqual(found);
  });

  test('take nothing from the other side: it may use the same, of a registry as well', async () => {
    const { id: organizationId } = await createClub(club);
    for (const scheme of ['CRM', 'FIFA_ID']) {
      const [mine, theirs] = await Promise.all([createAdult(agent), createAdult(club)]);
      const value = `${scheme}-7`;
      const squatted = await batch(agent, memberOf(organizationId, mine.id, { ...idOf(scheme, value), type: 'TRIAL' }));
      expect(squatted.summary.created).toBe(1);
      const own = await batch(club, memberOf(organizationId, theirs.id, { ...idOf(scheme, value), type: 'TRIAL' }));
      expect(own.data).toMatchObject([{ outcome: 'CREATED' }]);
      expect(own.data[0].id).not.toBe(squatted.data[0].id);
    }
  });
});

describe('the facts of a membership', () => {
  test('are not changed by the batch of the athlete’s side, before or after they were agreed', async () => {
    const { id: organizationId } = await createClub(club);
    const { id: personId } = await createAdult(agent);
    const item = memberOf(organizationId, personId, { ...idOf('CRM', 'facts'), shirtNumber: 9, startDate: '2026-01-01' });
    const [{ id }] = (await batch(agent, item)).data;
    const change = async () => (await batch(agent, { ...item, shirtNumber: 10, role: 'COACH' })).data;
    expect(await change()).toMatchObject([{ outcome: 'FAILED', error: { code: 'not_owner' } }]);
    await club.post(`/organizations/memberships/${id}/confirm`);
    expect(await change()).toMatchObject([{ outcome: 'FAILED', error: { code: 'not_owner' } }]);
    expect((await batch(agent, item)).data).toMatchObject([{ outcome: 'UNCHANGED', id, version: 2 }]);
    expect((await club.get(`/organizations/memberships/${id}`)).body).toMatchObject({ shirtNumber: 9, role: 'PLAYER' });
  });

  test('are changed by the batch of the organization, which finds the membership by its own id', async () => {
    const { id: organizationId } = await createClub(club);
    const { id: personId } = await createAdult(club);
    const { id } = await createMember(club, organizationId, personId, idOf('CRM', 'own'));
    const again = memberOf(organizationId, personId, { ...idOf('CRM', 'own'), shirtNumber: 3 });
    expect((await batch(club, again)).data).toMatchObject([{ outcome: 'UPDATED', id, version: 2 }]);
    expect((await batch(club, again)).data).toMatchObject([{ outcome: 'UNCHANGED', id, version: 2 }]);
  });
});
