/** Reads matches of athletes with opportunities. */
import { expect } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';

export interface MatchBody {
  readonly athlete: { readonly id: string };
  readonly opportunity: { readonly id: string };
  readonly eligible: boolean | null;
  readonly score: number | null;
  readonly components: readonly {
    readonly code: string;
    readonly value: number;
    readonly contribution: number;
    readonly contributionMax: number;
    readonly text: string;
  }[];
  readonly missingData: readonly { readonly datum: string }[];
}

export const getMatches = (client: Client, athletes: readonly string[], opportunities: readonly string[]): Promise<ApiResponse> =>
  client.get(`/scouting/opportunity-matches?athleteId=${athletes.join()}&opportunityId=${opportunities.join()}`);

/** Reads matches and checks that the contributions add up to the score. */
export async function readMatches(
  client: Client,
  athletes: readonly string[],
  opportunities: readonly string[],
): Promise<MatchBody[]> {
  const { status, body } = await getMatches(client, athletes, opportunities);
  expect({ status, body }).toMatchObject({ status: 200 });
  for (const { score, components } of body.data as MatchBody[])
    expect(components.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(score ?? 0);
  return body.data;
}
