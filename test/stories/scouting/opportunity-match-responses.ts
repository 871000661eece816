/** Responses for matches between athletes and opportunities. */
import { expect } from '@jest/globals';
import type { Answer, Client } from '../../client.ts';

export interface OpportunityMatch {
  readonly athlete: { readonly id: string };
  readonly opportunity: { readonly id: string };
  readonly eligible: boolean | null;
  readonly score: number | null;
  readonly components: readonly { readonly code: string; readonly contribution: number }[];
  readonly missingData: readonly { readonly datum: string }[];
}

export const ask = (client: Client, athletes: readonly string[], opportunities: readonly string[]): Promise<Answer> =>
  client.get(`/scouting/opportunity-matches?athleteId=${athletes.join()}&opportunityId=${opportunities.join()}`);

/** Matches whose contributions sum to their scores. */
export async function matchesFor(
  client: Client,
  athletes: readonly string[],
  opportunities: readonly string[],
): Promise<OpportunityMatch[]> {
  const { status, body } = await ask(client, athletes, opportunities);
  expect({ status, body }).toMatchObject({ status: 200 });
  for (const { score, components } of body.data as OpportunityMatch[])
    expect(components.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(score ?? 0);
  return body.data;
}
