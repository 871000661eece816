/** Which root fields of the accounts area are answered by the platform in test mode. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Kind, parse, valueFromASTUntyped, type FieldDefinitionNode } from 'graphql';
import { memberViewer } from '../../schema/viewer.ts';
import { isOfPlatform } from '../../wiring/sandboxes/account-operations.ts';

/** The events of the test data, which the portal and administrators read. */
const ofSandbox = ['event', 'eventLog'];

const fields = globSync('subgraphs/accounts/*/schema.graphql').flatMap((path) =>
  parse(readFileSync(path, 'utf8')).definitions.flatMap((definition): readonly FieldDefinitionNode[] =>
    definition.kind === Kind.OBJECT_TYPE_EXTENSION && ['Query', 'Mutation'].includes(definition.name.value)
      ? (definition.fields ?? [])
      : [],
  ),
);

const isOfPortal = ({ directives = [] }: FieldDefinitionNode): boolean =>
  directives.some(
    ({ name, arguments: values = [] }) =>
      name.value === 'tag' && values.some(({ value }) => valueFromASTUntyped(value) === 'portal'),
  );

test('what only members manage is that of the platform', () => {
  const names = fields.filter(isOfPortal).map(({ name }) => name.value);
  expect(names).toContain('inviteMember');
  const member = { userId: 'user', role: 'OWNER', address: '' } as const;
  const viewer = memberViewer(member, { accountId: 'account', plan: 'free', writes: true });
  const ofTestData = names.filter((name) => !isOfPlatform(`{ ${name} }`, viewer));
  expect(ofTestData.sort()).toEqual(ofSandbox);
});
