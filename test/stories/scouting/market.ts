/** A test platform with a club and a university, for tests about opportunities. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

export interface Market {
  readonly platform: TestPlatform;
  /** Owns both organizations. */
  readonly owner: Client;
  readonly other: Client;
  readonly moderator: Client;
  readonly club: { readonly id: string };
  readonly university: { readonly id: string };
  /** The input of a trial of the club. */
  trial(): { type: string; organizationId: string; title: string } & ReturnType<typeof offer>;
  /** Creates an opportunity as the owner. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  post(input: object): Promise<any>;
}

export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** The members that every opportunity requires. */
export const offer = () => ({
  description: 'Come and play.',
  sport: 'FOOTBALL',
  applicationDeadline: inDays(30),
  totalOpenings: 5,
});

export async function openMarket(): Promise<Market> {
  const platform = await openTestPlatform();
  const [owner, other, moderator] = await Promise.all([
    platform.account({ account: 'Club' }),
    platform.account({ account: 'Other' }),
    platform.account({ account: 'Moderation', scopes: ['moderation:write'] }),
  ]);
  const createOrganization = async (type: string, name: string, country: string): Promise<{ id: string }> =>
    (await owner.post('/organizations', { type, name, country, sports: ['FOOTBALL'], status: 'ACTIVE' })).body;
  const club = await createOrganization('CLUB', 'FC Open', 'DE');
  const university = await createOrganization('UNIVERSITY', 'Open University', 'US');
  return {
    platform,
    owner,
    other,
    moderator,
    club,
    university,
    trial: () => ({ ...offer(), type: 'TRIAL', organizationId: club.id, title: 'Trial of left backs' }),
    async post(input) {
      const { status, body } = await owner.post('/opportunities', input);
      expect({ status, body }).toMatchObject({ status: 201 });
      return body;
    },
  };
}
