/** Reads recommendations and creates their subjects, for tests about recommendations. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import { inDays } from './market.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createResource } from '../competitions/season-fixtures.ts';

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

/** Reads recommendations and checks that the contributions add up to the score. */
export async function readRecommendations(client: Client, query: string): Promise<Recommended[]> {
  const { status, body } = await client.get(`/scouting/recommendations?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  for (const { score, reasons } of body.data as Recommended[])
    expect(reasons.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(score);
  return body.data;
}

export const recommendedAthleteIds = async (client: Client, query: string): Promise<(string | undefined)[]> =>
  (await readRecommendations(client, query)).map(({ athlete }) => athlete?.id);

type Owner = Client & { readonly organizationId: string };

/** Creates an opportunity of the owner's organization. Each test uses its own sport, so that it does not find the athletes of another. */
export async function createOpportunity(owner: Owner, sport: string, more: object = {}): Promise<string> {
  const { id } = await createResource(owner, '/opportunities', {
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

/** Creates a public adult athlete of a sport. */
export async function createProspect(owner: Client, sport: string, more: object = {}): Promise<string> {
  const facts = { dateOfBirth: bornFor(20, 100), status: 'ACTIVE', sports: [{ sport, level: 'NATIONAL' }] };
  return (await createAthlete(owner, { ...facts, ...more })).id;
}
