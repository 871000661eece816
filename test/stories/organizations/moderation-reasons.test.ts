/** The reasons of moderators: visible to the owner of an organization or athlete and to administrators, hidden from everybody else. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub } from './clubs.ts';

let platform: TestPlatform;
let moderator: AdministratorClient;
let owner: Client;
let others: Client[];

beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.administrator('MODERATOR');
  owner = await platform.account({ account: 'Owner' });
  others = [platform.anonymous, await platform.account({ account: 'Other' })];
});
afterAll(() => platform.close());

const fields = '{ moderationReason verification { status method } }';
const kinds = [
  { type: 'Organization', field: 'organization', path: '/organizations', create: () => createClub(owner) },
  { type: 'Athlete', field: 'athlete', path: '/athletes', create: () => createAdult(owner) },
] as const;

const decide = async (mutation: string, id: string, reason?: string): Promise<void> => {
  const argument = reason === undefined ? '' : `, reason: ${JSON.stringify(reason)}`;
  const { errors } = await moderator.run(`mutation ($id: ID!) { ${mutation}(id: $id${argument}) { id } }`, { id });
  expect(errors).toEqual([]);
};

test.each(kinds)('the owner reads why an $field was rejected or suspended, over GraphQL and REST', async (kind) => {
  const { type, field, path, create } = kind;
  const { id } = await create();
  const read = async (client: Client) =>
    (await client.graphql(`query ($id: ID!) { it: ${field}(id: $id) ${fields} }`, { id })).body.data.it;
  const reasonInRest = async (client: Client) => (await client.get(`${path}/${id}`)).body.moderationReason;

  expect(await read(owner)).toMatchObject({ moderationReason: null });
  await decide(`reject${type}`, id, 'Not in the register');
  expect(await read(owner)).toEqual({
    moderationReason: 'Not in the register',
    verification: { status: 'REJECTED', method: 'Not in the register' },
  });
  expect(await reasonInRest(owner)).toBe('Not in the register');
  for (const other of others) {
    expect(await read(other)).toEqual({ moderationReason: null, verification: { status: 'REJECTED', method: null } });
    expect(await reasonInRest(other)).toBeNull();
  }
  const { data } = await moderator.run(`query ($id: ID!) { it: ${field}(id: $id) ${fields} }`, { id });
  expect(data.it.moderationReason).toBe('Not in the register');

  await decide(`suspend${type}`, id, 'Copied');
  expect(await reasonInRest(owner)).toBe('Copied');
  await decide(`reinstate${type}`, id);
  expect(await reasonInRest(owner)).toBe('Not in the register');
  await decide(`verify${type}`, id);
  expect(await reasonInRest(owner)).toBeNull();
});

test('the reasons of a list are one statement', async () => {
  for (const name of ['One', 'Two', 'Three'])
    await decide('rejectOrganization', (await createClub(owner, { name })).id, `No ${name}`);
  platform.statements();
  const { body } = await owner.graphql('{ organizations(first: 3, filter: { mine: true }) { nodes { name moderationReason } } }');
  expect(body.data.organizations.nodes).toEqual(
    ['Three', 'Two', 'One'].map((name) => ({ name, moderationReason: `No ${name}` })),
  );
  expect(platform.statements().filter((name) => name.includes('moderationReasons'))).toHaveLength(1);
});
