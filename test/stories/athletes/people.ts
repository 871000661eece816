/** Athletes of every age, for tests of visibility. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';

/** The birth date of an athlete who reached an age some days ago. Negative days are in the future. */
export function bornFor(age: number, daysAgo: number): string {
  const day = new Date(Date.now() - daysAgo * 86_400_000);
  day.setUTCFullYear(day.getUTCFullYear() - age);
  return day.toISOString().slice(0, 10);
}

let count = 0;
/** Input of an athlete, with a unique external id. */
export const facts = (more: object = {}) => ({
  displayName: `Quillon ${(count += 1)}`,
  sex: 'FEMALE',
  nationalities: ['NG'],
  residence: { country: 'FR', city: 'Lyon' },
  sports: [{ sport: 'FOOTBALL', positions: ['LB'], level: 'NATIONAL' }],
  externalIds: [{ scheme: 'TEST', value: `minor-${count}` }],
  ...more,
});

/** The value of the latest external id. */
export const lastName = (): string => `minor-${count}`;

/** Creates an athlete for an account. */
export async function createAthlete(owner: Client, more: object = {}): Promise<{ id: string; status: string; version: number }> {
  const { status, body } = await owner.post('/athletes', facts(more));
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}
