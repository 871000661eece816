/** A public registry id belongs to one public resource of all accounts, and exposes nothing about hidden ones. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createTeam } from '../organizations/clubs.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'First' }), platform.account({ account: 'Second' })]);
});
afterAll(() => platform.close());

let count = 0;
const registered = (scheme = 'FIFA_ID') => ({ externalIds: [{ scheme, value: `R${(count += 1)}` }] });
const adult = {
  displayName: 'Somebody',
  sex: 'FEMALE',
  nationalities: ['NG'],
  sports: [{ sport: 'FOOTBALL' }],
  dateOfBirth: bornFor(30, 9),
};
const club = { type: 'CLUB', name: 'Club', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
const conflict = { status: 409, code: 'conflict' };

describe('an id of a registry', () => {
  test('of a public resource is rejected for others, without disclosing the owner', async () => {
    const ids = registered();
    const { id } = await createAdult(owner, ids);
    const rejected = await other.post('/athletes', { ...adult, ...ids, status: 'ACTIVE' });
    expect(rejected.body).toMatchObject(conflict);
    expect(JSON.stringify(rejected.body)).not.toContain(id);
    expect((await other.post('/athletes', { ...adult, ...ids })).status).toBe(201);
  });

  test.each([
    ['a minor', { dateOfBirth: bornFor(15, 9) }],
    ['a private profile', { dateOfBirth: bornFor(25, 9), status: 'ACTIVE', visibility: 'PRIVATE' }],
  ])('of %s is accepted like an unused one', async (_, profile) => {
    const ids = registered();
    await createAthlete(owner, { ...profile, ...ids });
    const responses = [
      await other.post('/athletes', { ...adult, ...ids }),
      await other.post('/athletes', { ...adult, ...registered() }),
    ];
    expect(responses.map((response) => response.status)).toEqual([201, 201]);
    expect((await other.post(`/athletes/${responses[0]?.body.id}/activate`)).body).toMatchObject({ status: 'ACTIVE' });
  });

  test('of a draft is checked when it becomes public: by a transition, a patch, or with its organization', async () => {
    const ids = registered('WIKIDATA');
    const drafts = [await createClub(owner, { ...ids, status: 'DRAFT' }), await createClub(other, { ...ids, status: 'DRAFT' })];
    expect((await other.post(`/organizations/${drafts[1]?.id ?? ''}/activate`)).body).toMatchObject({ status: 'ACTIVE' });
    expect((await owner.post(`/organizations/${drafts[0]?.id ?? ''}/activate`)).body).toMatchObject(conflict);

    const visible = registered();
    await createAdult(other, visible);
    const hidden = await createAdult(owner, { ...visible, visibility: 'PRIVATE' });
    const patch = (change: object) => owner.patch(`/athletes/${hidden.id}`, change, { 'if-match': '*' });
    expect((await patch({ visibility: 'PUBLIC' })).body).toMatchObject(conflict);
    expect((await patch({ visibility: 'PUBLIC', externalIds: [] })).body).toMatchObject({ visibility: 'PUBLIC' });

    const team = registered();
    await createTeam(other, (await createClub(other)).id, team);
    const draft = await createClub(owner, { status: 'DRAFT' });
    await createTeam(owner, draft.id, team);
    expect((await owner.post(`/organizations/${draft.id}/activate`)).body).toMatchObject(conflict);
  });

  test.each([
    ['a private profile', { visibility: 'PRIVATE' }],
    ['a minor', { dateOfBirth: bornFor(15, 9) }],
  ])('of an athlete that becomes %s is released, and checked when the athlete becomes public again', async (_, change) => {
    const ids = registered();
    const { id } = await createAdult(owner, ids);
    const patch = (changed: object) => owner.patch(`/athletes/${id}`, changed, { 'if-match': '*' });
    expect((await patch(change)).status).toBe(200);
    const taken = await other.post('/athletes', { ...adult, ...ids, status: 'ACTIVE' });
    expect({ status: taken.status, body: taken.body }).toMatchObject({ status: 201, body: { status: 'ACTIVE' } });
    await patch({ dateOfBirth: bornFor(22, 50) });
    const visible = 'visibility' in change ? await patch({ visibility: 'PUBLIC' }) : await owner.post(`/athletes/${id}/activate`);
    expect(visible.body).toMatchObject(conflict);
  });

  test('of a suspended club and its team is released, and checked when it is reinstated', async () => {
    const moderator = await platform.account({ account: 'Moderator', scopes: ['moderation:write'] });
    const [ids, team] = [registered('WIKIDATA'), registered()];
    const { id } = await createClub(owner, ids);
    await createTeam(owner, id, team);
    await moderator.post(`/organizations/${id}/suspend`, { reason: 'Reported' });
    const namesake = await createClub(other, ids);
    await createTeam(other, namesake.id, team);
    expect((await moderator.post(`/organizations/${id}/reinstate`)).body).toMatchObject(conflict);
    await moderator.post(`/organizations/${namesake.id}/suspend`, { reason: 'Not the club' });
    expect((await moderator.post(`/organizations/${id}/reinstate`)).body).toMatchObject({ status: 'ACTIVE' });
    expect((await moderator.post(`/organizations/${namesake.id}/reinstate`)).body).toMatchObject(conflict);
  });
});

test('a batch item that conflicts with another resource of the account names it with a pointer; the stored outcome does not contain the id', async () => {
  const [first, second] = [registered('CRM'), registered('CRM')];
  const { id } = await createClub(owner, first);
  const both = { externalIds: [...second.externalIds, ...first.externalIds] };
  const { body } = await owner.post('/organizations/batch', { items: [{ ...club, ...both }] });
  const errors = [{ pointer: '/externalIds/1', code: 'taken' }];
  expect(body.data).toMatchObject([{ outcome: 'FAILED', error: { code: 'conflict', existingId: id, errors } }]);
  for (const { value } of both.externalIds) expect(JSON.stringify(body)).not.toContain(value);
  const taken = registered('WIKIDATA');
  await createClub(other, taken);
  const foreign = await owner.post('/organizations/batch', { items: [{ ...club, ...taken }] });
  expect(foreign.body.data).toMatchObject([
    { outcome: 'FAILED', error: { code: 'conflict', existingId: null, errors: [{ pointer: '/externalIds/0' }] } },
  ]);
  // one more id than the resource has: the pointer is its index in the body
  const renamed = await owner.patch(
    `/organizations/${id}`,
    { externalIds: [...first.externalIds, ...taken.externalIds] },
    { 'if-match': '*' },
  );
  expect(renamed.body).toMatchObject({ status: 409, code: 'conflict', errors: [{ pointer: '/externalIds/1', code: 'taken' }] });
});
