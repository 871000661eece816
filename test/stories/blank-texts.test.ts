/** A name that consists of blanks is no name, at both doors. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { createClub } from './clubs.ts';
import { facts } from './people.ts';

let world: World;
let owner: Client;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Owner' });
});
afterAll(() => world.close());

const blank = ' \t\u00a0 ';

test('a blank name is refused by its place', async () => {
  const refused = (pointer: string) => ({ status: 422, body: { errors: [{ pointer, detail: 'must not be blank' }] } });
  expect(await owner.post('/athletes', facts({ displayName: blank }))).toMatchObject(refused('/displayName'));
  const { id } = await createClub(owner);
  const patched = await owner.patch(`/organizations/${id}`, { city: blank }, { 'if-match': '*' });
  expect(patched).toMatchObject(refused('/city'));
  const items = [facts({ displayName: blank })];
  expect((await owner.post('/athletes/batch', { items })).body.data).toMatchObject([
    { outcome: 'FAILED', error: { errors: [{ pointer: '/displayName' }] } },
  ]);
  const change = `mutation ($id: ID!, $name: String) { updateOrganization(id: $id, ifMatch: "*", input: { name: $name }) { id } }`;
  expect((await owner.graphql(change, { id, name: blank })).body.errors).toMatchObject([
    { extensions: { code: 'validation_failed', errors: [{ parameter: 'updateOrganization.input.name' }] } },
  ]);
  const named = await owner.patch(`/organizations/${id}`, { name: ' FC 1 ' }, { 'if-match': '*' });
  expect(named.status).toBe(200);
});
