/** What readers are recommended, for stories about recommendations. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import { inDays } from './market.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { makes } from '../competitions/season-fixtures.ts';

export interface Recommended {
  readonly id: string;
  readonly subject: string;
  readonly athlete: { readonly id: string } | null;
  readonly opportunity: { readonly id: string } | null;
  readonly score: number;
  readonly reasons: readonly { readonly contribution: number }[];
  readonly eligible: boolean | null;
  readonly feedback: string | null;
}

/** Recommendations, whose contributions sum to their scores. */
export async function recommended(client: Client, query: string): Promise<Recommended[]> {
  const { status, body } = await client.get(`/scouting/recommendations?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  for (const { score, reasons } of body.data as Recommended[])
    expect(reasons.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(score);
  return body.data;
}

export const athletesOf = async (client: Client, query: string): Promise<(string | undefined)[]> =>
  (await recommended(client, query)).map(({ athlete }) => athlete?.id);

type Owner = Client & { readonly organizationId: string };

/** An opportunity of the owner's organization; each story has a sport of its own, so that none meets the athletes of another. */
export async function offers(owner: Owner, sport: string, more: object = {}): Promise<string> {
  const { id } = await makes(owner, '/opportunities', {
    type: 'TRIAL',
    organizationId: owner.organizationId,
    title: 'Come and play',
    description: 'Come and play.',
    sport,
    country: 'FR',
    applicationDeadline: inDays(30),
    totalOpenings: 2,
    status: 'PUBLISHED',
    ...more,
  });
  return id;
}

/** An adult whom everybody sees, of a sport. */
export async function practises(owner: Client, sport: string, more: object = {}): Promise<string> {
  const facts = { dateOfBirth: bornFor(20, 100), status: 'ACTIVE', sports: [{ sport, level: 'NATIONAL' }] };
  return (await createAthlete(owner, { ...facts, ...more })).id;
}
