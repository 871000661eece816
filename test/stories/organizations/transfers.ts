/** Transfers of one account that owns the athletes and both clubs, for tests. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import { createAdult, createClub, createMember } from './clubs.ts';

export const transfersPath = '/organizations/transfers';

/** A day relative to today, `YYYY-MM-DD`. */
export const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** Two clubs and an athlete who is a permanent member of the first one. */
export async function openCareer(owner: Client, more: { readonly clubs?: readonly Client[]; readonly member?: object } = {}) {
  const [first = owner, second = owner] = more.clubs ?? [];
  const from = await createClub(first);
  const to = await createClub(second);
  const athlete = await createAdult(owner);
  const input = { startDate: '2020-07-01', sport: 'FOOTBALL', positions: ['LB'], ...more.member };
  const member = await createMember(owner, from.id, athlete.id, input);
  if (first !== owner) expect((await first.post(`/organizations/memberships/${member.id}/confirm`)).status).toBe(200);
  return { from: from.id, to: to.id, athlete: athlete.id, member: member.id };
}

export type Career = Awaited<ReturnType<typeof openCareer>>;

/** Input of a transfer from the first club to the second. */
export const transferOf = ({ athlete, from, to }: Career, more: object = {}) => ({
  athleteId: athlete,
  type: 'PERMANENT',
  date: '2026-07-01',
  fromOrganizationId: from,
  toOrganizationId: to,
  ...more,
});

/** Creates a transfer. */
export async function createTransfer(client: Client, input: object) {
  const { status, body } = await client.post(transfersPath, input);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

/** The memberships of an athlete, latest first. */
export async function careerOf(client: Client, athleteId: string) {
  const { body } = await client.get(`/athletes/${athleteId}/memberships`);
  return body.data.map(({ organization, status, type, role, startDate, endDate }: Record<string, unknown>) => ({
    organization: (organization as { id: string } | null)?.id,
    status,
    type,
    role,
    startDate,
    endDate,
  }));
}
