/** Creates opportunities and applications, for tests about applications. */
import { expect } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { createAdult } from '../organizations/clubs.ts';
import type { Market } from '../scouting/market.ts';

export const applicationsPath = '/opportunities/applications';
export const responses = [{ question: 'Why us?', answer: 'Because.' }];

/** Transitions that require a reason. */
const withReason = ['reject', 'rescind'];

/** Applies transitions, each of which must succeed. Returns the application. */
export async function applyTransitions(client: Client, id: string, ...verbs: string[]): Promise<ApiResponse['body']> {
  let last: ApiResponse['body'] = null;
  for (const verb of verbs) {
    const reason = withReason.includes(verb) ? { reasonCode: 'OTHER' } : undefined;
    const { status, body } = await client.post(`${applicationsPath}/${id}/${verb}`, reason);
    expect({ verb, status, body }).toMatchObject({ status: 200 });
    last = body;
  }
  return last;
}

export interface Applicants {
  /** Creates an open opportunity of the market. */
  createOpportunity(more?: object): Promise<{ id: string }>;
  /** Creates an application of one of the agent's athletes, submitted by default. */
  apply(opportunityId: string, athleteId: string, more?: object): Promise<ApiResponse>;
  /** Creates an application of a new athlete, which must succeed. */
  createApplication(opportunityId: string, more?: object): Promise<{ id: string; athleteId: string }>;
}

export function applicantsOf(market: Market, agent: Client): Applicants {
  const apply: Applicants['apply'] = (opportunityId, athleteId, more = {}) =>
    agent.post(applicationsPath, { opportunityId, athleteId, answers: responses, status: 'SUBMITTED', ...more });
  return {
    createOpportunity: (more = {}) => market.post({ ...market.trial(), status: 'PUBLISHED', ...more }),
    apply,
    async createApplication(opportunityId, more = {}) {
      const athleteId = (await createAdult(agent)).id;
      const { status, body } = await apply(opportunityId, athleteId, more);
      expect({ status, body }).toMatchObject({ status: 201 });
      return { id: body.id, athleteId };
    },
  };
}
