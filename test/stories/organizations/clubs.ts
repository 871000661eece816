/** Clubs and members, for tests of memberships. */
import { expect } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';

interface Created {
  readonly id: string;
  readonly version: number;
  readonly status: string;
}

async function create(owner: Client, path: string, body: object): Promise<Created> {
  const response = await owner.post(path, body);
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 201 });
  return response.body;
}

/** An active club of an account. */
export const createClub = (owner: Client, more: object = {}): Promise<Created> =>
  create(owner, '/organizations', { type: 'CLUB', name: 'Club', country: 'FR', sports: ['FOOTBALL'], status: 'ACTIVE', ...more });

/** A team of a club of the account. */
export const createTeam = (owner: Client, organizationId: string, more: object = {}): Promise<Created> =>
  create(owner, '/organizations/teams', { name: 'Team', sport: 'FOOTBALL', category: 'WOMEN', organizationId, ...more });

/** A public athlete. */
export const createAdult = (owner: Client, more: object = {}): Promise<Created> =>
  createAthlete(owner, { dateOfBirth: bornFor(22, 50), status: 'ACTIVE', ...more });

/** Input of an athlete's membership. */
export const memberOf = (organizationId: string, personId: string, more: object = {}) => ({
  personType: 'ATHLETE',
  personId,
  organizationId,
  role: 'PLAYER',
  ...more,
});

/** Creates a membership of an athlete. */
export const createMember = (requester: Client, organizationId: string, personId: string, more: object = {}): Promise<Created> =>
  create(requester, '/organizations/memberships', memberOf(organizationId, personId, more));

/** Ids of a page. */
export const idsOf = ({ status, body }: ApiResponse): string[] => {
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data.map((each: { id: string }) => each.id);
};
