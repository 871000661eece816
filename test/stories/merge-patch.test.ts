/** Merge patches (RFC 7396): what is left out stays, also within the parts of a resource; null deletes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { offer, openMarket, type Market } from './market.ts';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.world.close());

describe('a merge patch', () => {
  test('of an opportunity moves its openings with their total; null deletes, a repetition changes nothing', async () => {
    const { id } = await market.post({
      ...market.trial(),
      ageRange: { max: 21 },
      sessions: [{ startsAt: '2027-03-01T10:00:00+01:00', venue: 'Pitch 2' }],
    });
    const patched = await market.owner.patch(`/opportunities/${id}`, { totalOpenings: 8, ageRange: null }, { 'if-match': '"1"' });
    expect(patched.body).toMatchObject({ totalOpenings: 8, remainingOpenings: 8, ageRange: null, version: 2 });
    const same = { totalOpenings: 8, sessions: [{ venue: 'Pitch 2', startsAt: '2027-03-01T09:00:00Z' }] };
    expect((await market.owner.patch(`/opportunities/${id}`, same, { 'if-match': '"2"' })).body.version).toBe(2);
    expect((await market.owner.patch(`/opportunities/${id}`, { title: null }, { 'if-match': '*' })).status).toBe(422);
    expect(
      (await market.owner.patch(`/opportunities/${id}`, { award: { coverage: 'FULL' } }, { 'if-match': '*' })).body,
    ).toMatchObject({
      errors: [{ pointer: '/award' }],
    });
    expect((await market.owner.delete(`/opportunities/${id}`, { 'if-match': '"2"' })).status).toBeLessThan(300);
    expect((await market.owner.get(`/opportunities/${id}`)).status).toBe(404);
  });

  test('of an opportunity merges within its parts as well', async () => {
    const award = { amountMinor: 100, currency: 'EUR', coverage: 'FULL' };
    const facts = { ...offer(), type: 'SCHOLARSHIP', title: 'Merged', award, ageRange: { min: 18, max: 21 } };
    const { id } = await market.post({ ...facts, organizationId: market.university.id });
    const patch = (body: object) => market.owner.patch(`/opportunities/${id}`, body, { 'if-match': '*' });
    const patched = await patch({ award: { coverage: 'PARTIAL' }, ageRange: { min: null } });
    expect(patched.body).toMatchObject({
      award: { ...award, coverage: 'PARTIAL' },
      ageRange: { min: null, max: 21 },
      version: 2,
    });
    expect((await patch({ award: { currency: null } })).body).toMatchObject({ errors: [{ pointer: '/award/currency' }] });
    expect((await patch({ award: { amountMinor: 100 } })).body).toMatchObject({ version: 2 });
    expect((await patch({ award: null })).body).toMatchObject({ award: null, version: 3 });
  });

  test('of an organization keeps the mail address beside a new telephone number', async () => {
    const { owner, club } = market;
    const patch = async (body: object) => (await owner.patch(`/organizations/${club.id}`, body, { 'if-match': '*' })).body;
    await patch({ contact: { name: 'Office', email: 'office@example.org' }, safeguarding: { officerName: 'Ada' } });
    expect(await patch({ contact: { phone: '123', name: null } })).toMatchObject({
      contact: { name: null, email: 'office@example.org', phone: '123' },
      safeguarding: { officerName: 'Ada' },
      version: 3,
    });
    expect(await patch({ safeguarding: { policyUrl: null } })).toMatchObject({ version: 3 });
    expect(await patch({ contact: null })).toMatchObject({ contact: null });
  });
});
