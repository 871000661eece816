/** The units of members on the graph of the portal: one user cannot use those of the whole account. */
import { expect, test } from '@jest/globals';
import { createMemberBudget } from '../../router/portal/member-budget.ts';

test('a user gets at most half of the units of an account and day', () => {
  const budget = createMemberBudget({ perMinute: 1000, perDay: 10 });
  const isAllowed = (user: string, account = 'account') => budget.consume(user, account, 1) === null;
  const uses = (user: string) => Array.from({ length: 10 }, () => isAllowed(user)).filter(Boolean).length;
  expect(uses('viewer')).toBe(5);
  expect(isAllowed('owner')).toBe(true);
  expect(isAllowed('viewer', 'other account')).toBe(true);
  expect(uses('owner')).toBe(4);
  expect(isAllowed('developer')).toBe(false);
});
