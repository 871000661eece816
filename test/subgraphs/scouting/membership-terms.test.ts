/** What membership terms say on a day. */
import { expect, test } from '@jest/globals';
import { membershipState } from '../../../subgraphs/scouting/projections/membership-terms.ts';

const term = (startDate: string | null, endDate: string | null, contractUntil: string | null = null) => ({
  startDate,
  endDate,
  contractUntil,
});
const today = '2026-11-21';

test('an athlete without a membership in force is a free agent until the next one starts', () => {
  expect(membershipState([], today)).toEqual({ freeAgent: true, contractUntil: null, changesOn: null });
  expect(membershipState([term('2025-01-01', '2026-11-20', '2026-11-20'), term('2027-01-01', null)], today)).toEqual({
    freeAgent: true,
    contractUntil: null,
    changesOn: '2027-01-01',
  });
});

test('the earliest end of the contracts in force counts, and the state changes after the last day of a membership', () => {
  const terms = [term(null, '2026-11-21', '2027-06-30'), term('2026-11-21', null, '2028-06-30'), term(null, null)];
  expect(membershipState(terms, today)).toEqual({ freeAgent: false, contractUntil: '2027-06-30', changesOn: '2026-11-22' });
});
