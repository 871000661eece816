/** Transfers that are rejected, changed, deleted and sent as a batch. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createTeam, idsOf } from './clubs.ts';
import { careerOf, createTransfer, openCareer, transferOf, transfersPath } from './transfers.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Club' });
});
afterAll(() => platform.close());

const any = { 'if-match': '*' };
const fee = { amountMinor: 1_250_000_000, currency: 'EUR' };

describe('a request is rejected', () => {
  test.each([
    ['without a new club', { toOrganizationId: null }, ['/toOrganizationId', 'required']],
    ['for an unknown athlete', { athleteId: '00000000-0000-4000-8000-00000000000a' }, ['/athleteId', 'unknown_athlete']],
    [
      'for an unknown club',
      { fromOrganizationId: '00000000-0000-4000-8000-00000000000a' },
      ['/fromOrganizationId', 'unknown_organization'],
    ],
    ['for an unknown team', { toTeamId: '00000000-0000-4000-8000-00000000000a' }, ['/toTeamId', 'unknown_team']],
    ['before the membership started', { date: '2019-01-01' }, ['/fromOrganizationId', 'no_membership']],
    ['with a fee for a free transfer', { type: 'FREE', fee }, ['/fee', 'not_for_type']],
    ['with half a fee', { fee: { amountMinor: 5 } }, ['/fee/currency', 'required']],
    ['with an unknown currency', { fee: { ...fee, currency: 'ZZZ' } }, ['/fee/currency', 'unknown_currency']],
    ['with an amount that is not disclosed', { fee: { ...fee, disclosed: false } }, ['/fee/amountMinor', 'not_disclosed']],
    ['with the end of a loan', { loanUntil: '2027-06-30' }, ['/loanUntil', 'not_for_type']],
    ['with an early end of a loan', { type: 'LOAN', loanUntil: '2026-06-30' }, ['/loanUntil', 'before_start']],
    ['with a new club for a retirement', { type: 'RETIREMENT' }, ['/toOrganizationId', 'not_for_type']],
    ['as a loan return without a loan', { type: 'LOAN_RETURN' }, ['/fromOrganizationId', 'no_membership']],
  ])('%s', async (_, more, [pointer, code]) => {
    const career = await openCareer(owner);
    const { status, body } = await owner.post(transfersPath, transferOf(career, more));
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ pointer, code }] });
    expect(await careerOf(owner, career.athlete)).toMatchObject([{ status: 'ACTIVE', endDate: null }]);
  });

  test('to the same club, for a foreign team, and with a direction without a club', async () => {
    const career = await openCareer(owner);
    const foreign = await createTeam(owner, career.from);
    const errorOf = async (more: object) => (await owner.post(transfersPath, transferOf(career, more))).body.errors;
    expect(await errorOf({ toOrganizationId: career.from })).toMatchObject([{ pointer: '/toOrganizationId', code: 'same' }]);
    expect(await errorOf({ toTeamId: foreign.id })).toMatchObject([{ pointer: '/toTeamId', code: 'foreign_team' }]);
    expect((await owner.get(`${transfersPath}?direction=IN`)).body).toMatchObject({
      status: 400,
      errors: [{ parameter: 'direction', code: 'required' }],
    });
  });

  test('to a closed club', async () => {
    const career = await openCareer(owner);
    await owner.post(`/organizations/${career.to}/close`);
    expect((await owner.post(transfersPath, transferOf(career))).body.errors).toMatchObject([
      { pointer: '/toOrganizationId', code: 'not_active' },
    ]);
  });
});

describe('changes', () => {
  test('the fee follows a merge patch; the dates follow the memberships; a deleted transfer leaves them', async () => {
    const career = await openCareer(owner);
    const { id, toMembership } = await createTransfer(owner, transferOf(career, { fee }));
    const patch = async (body: object) => owner.patch(`${transfersPath}/${id}`, body, any);
    expect((await patch({ fee: { amountMinor: 5 } })).body.fee).toEqual({ disclosed: true, amountMinor: 5, currency: 'EUR' });
    expect((await patch({ fee: { disclosed: false } })).body.errors).toMatchObject([{ code: 'not_disclosed' }]);
    expect((await patch({ fee: { disclosed: false, amountMinor: null, currency: null } })).body.fee).toEqual({
      disclosed: false,
      amountMinor: null,
      currency: null,
    });
    expect((await patch({ fee: null })).body.fee).toBeNull();
    expect((await patch({ loanUntil: '2027-01-01' })).body.errors).toMatchObject([{ code: 'not_for_type' }]);
    const moved = await owner.patch(`/organizations/memberships/${toMembership.id}`, { startDate: '2026-07-15' }, any);
    expect(moved.status).toBe(200);
    expect((await owner.get(`${transfersPath}/${id}`)).body).toMatchObject({ date: '2026-07-15' });
    expect((await owner.delete(`${transfersPath}/${id}`, any)).status).toBe(200);
    expect((await owner.get(`${transfersPath}/${id}`)).status).toBe(404);
    expect(await careerOf(owner, career.athlete)).toHaveLength(2);
  });

  test('a batch creates, repeats and updates transfers by external id', async () => {
    const career = await openCareer(owner);
    const item = { ...transferOf(career), externalIds: [{ scheme: 'CRM', value: 'transfer-1' }] };
    const send = async (...items: object[]) => (await owner.post(`${transfersPath}/batch`, { items })).body.data;
    expect(await send(item)).toMatchObject([{ outcome: 'CREATED' }]);
    expect(await send(item)).toMatchObject([{ outcome: 'UNCHANGED' }]);
    expect(await send({ ...item, fee })).toMatchObject([{ outcome: 'UPDATED' }]);
    expect(await send({ ...item, date: '2026-07-02' })).toMatchObject([
      { outcome: 'FAILED', error: { errors: [{ pointer: '/date', code: 'immutable' }] } },
    ]);
    expect(idsOf(await owner.get(`${transfersPath}?externalId=CRM:transfer-1`))).toHaveLength(1);
  });
});
