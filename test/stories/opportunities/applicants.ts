/** Somebody who applies for athletes, for stories about applications. */
import { expect } from '@jest/globals';
import type { Answer, Client } from '../../client.ts';
import { createAdult } from '../organizations/clubs.ts';
import type { Market } from '../scouting/market.ts';

export const applicationsPath = '/opportunities/applications';
export const answers = [{ question: 'Why us?', answer: 'Because.' }];

/** Steps that say why. */
const reasoned = ['reject', 'rescind'];

/** Takes steps of an application, each of which has to be possible. Returns the application. */
export async function take(client: Client, id: string, ...verbs: string[]): Promise<Answer['body']> {
  let last: Answer['body'] = null;
  for (const verb of verbs) {
    const why = reasoned.includes(verb) ? { reasonCode: 'OTHER' } : undefined;
    const { status, body } = await client.post(`${applicationsPath}/${id}/${verb}`, why);
    expect({ verb, status, body }).toMatchObject({ status: 200 });
    last = body;
  }
  return last;
}

export interface Applicants {
  /** An opportunity of the market that takes applications. */
  offered(more?: object): Promise<{ id: string }>;
  /** Applies for an athlete of the agent, submitted unless told otherwise. */
  apply(opportunityId: string, athleteId: string, more?: object): Promise<Answer>;
  /** The same for somebody new; it has to be possible. */
  applied(opportunityId: string, more?: object): Promise<{ id: string; athleteId: string }>;
}

export function applicantsOf(market: Market, agent: Client): Applicants {
  const apply: Applicants['apply'] = (opportunityId, athleteId, more = {}) =>
    agent.post(applicationsPath, { opportunityId, athleteId, answers, status: 'SUBMITTED', ...more });
  return {
    offered: (more = {}) => market.post({ ...market.trial(), status: 'PUBLISHED', ...more }),
    apply,
    async applied(opportunityId, more = {}) {
      const athleteId = (await createAdult(agent)).id;
      const { status, body } = await apply(opportunityId, athleteId, more);
      expect({ status, body }).toMatchObject({ status: 201 });
      return { id: body.id, athleteId };
    },
  };
}
