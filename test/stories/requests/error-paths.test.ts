/** The path of an error is the same for areas in process and over HTTP: list indexes are numbers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openTestPlatform, wirings, type TestPlatform } from '../../test-platform.ts';

describe.each(wirings)('in %s', (wiring) => {
  let platform: TestPlatform;
  let id: string;
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: platform.database.ownerUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  beforeAll(async () => {
    platform = await openTestPlatform({ isolated: true, wiring });
    const owner = await platform.account({ account: 'Owner' });
    const club = { type: 'CLUB', name: 'Paths', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
    id = (await owner.post('/organizations', { ...club, createTeam: true })).body.id;
    const athlete = {
      displayName: 'Pia Path',
      dateOfBirth: '1999-04-01',
      sex: 'FEMALE',
      nationalities: ['DE'],
      sports: [{ sport: 'FOOTBALL' }],
      status: 'ACTIVE',
    };
    const { body: person } = await owner.post('/athletes', athlete);
    const membership = { personType: 'ATHLETE', personId: person.id, organizationId: id, role: 'PLAYER' };
    expect((await owner.post('/organizations/memberships', membership)).body).toMatchObject({ status: 'ACTIVE' });
    await platform.settled();
    await run('alter table organizations.team rename to team_gone');
  });
  afterAll(() => platform.close());

  const paths = async (query: string): Promise<unknown> => {
    const { body } = await platform.anonymous.graphql(query, {});
    return body.errors?.map(({ path }: { path: unknown }) => path);
  };

  test('an error within a list of an area has the index of its item', async () => {
    expect(await paths('{ organizations { nodes { teams { nodes { name } } } } }')).toEqual([
      ['organizations', 'nodes', 0, 'teams'],
    ]);
  });

  test('an error in an entity referenced from a list has it too', async () => {
    expect(await paths('{ athletes { nodes { organization { name teams { nodes { name } } } } } }')).toEqual([
      ['athletes', 'nodes', 0, 'organization', 'teams'],
    ]);
  });
});
