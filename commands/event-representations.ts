/** Generates schema/generated/event-representations.json: a query per type of subject, which reads what `GET` returns for many ids at once. */
import { join } from 'node:path';
import {
  Kind,
  parse,
  print,
  validate,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from 'graphql';
import { usedFragments } from '../rest-bridge/operations/documents.ts';
import { loadOperations } from '../rest-bridge/operations/load-operations.ts';
import { createAudienceSchema } from '../router/operations/prepared-operation.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { subjectOperations } from '../schema/event-subjects.ts';
import { entriesOf } from '../schema/records.ts';

const file = join(import.meta.dirname, '../schema/generated/event-representations.json');

/** The document without the members that responses contain on request only. */
function withoutOptionalMembers(document: DocumentNode): DocumentNode {
  return visit(document, {
    Field: (field) => (field.directives?.some(({ name }) => name.value === 'include') === true ? null : undefined),
    VariableDefinition: ({ variable }) => (variable.name.value.startsWith('include_') ? null : undefined),
  });
}

/** The document without the fragments that its operation does not use any more. */
function withUsedFragments({ definitions, ...document }: DocumentNode): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>(
    definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
  const [operation] = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error('The document has no operation.');
  return { ...document, definitions: [operation, ...usedFragments(operation, fragments)] };
}

/** `match(id: $id) { … }` as `nodesOfType(type: "Match", ids: $ids) { ... on Match { … } }`. */
function overNodes(type: string, text: string): DocumentNode {
  const document = withoutOptionalMembers(parse(text));
  return withUsedFragments(
    visit(document, {
      OperationDefinition: {
        leave(node: OperationDefinitionNode) {
          const [root] = node.selectionSet.selections;
          if (root?.kind !== Kind.FIELD || root.selectionSet === undefined)
            throw new Error(`${type} is not read by one root field.`);
          const [query] = parse(
            `query event${type}($ids: [ID!]!) { nodesOfType(type: "${type}", ids: $ids) { ... on ${type} { subjectId: id } } }`,
          ).definitions;
          if (query?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The query is no operation.');
          return visit(query, {
            InlineFragment: (fragment) => ({
              ...fragment,
              selectionSet: {
                ...fragment.selectionSet,
                selections: [...fragment.selectionSet.selections, ...(root.selectionSet?.selections ?? [])],
              },
            }),
          });
        },
      },
    }),
  );
}

/** Reads the generated public schema. */
export function eventRepresentationFiles(): ReadonlyMap<string, string> {
  const { supergraphSdl, schemas } = loadSupergraph();
  const operations = loadOperations(createAudienceSchema(schemas.public, supergraphSdl).schema);
  const { schema } = createAudienceSchema(schemas.internal, supergraphSdl);
  const queries = entriesOf(subjectOperations).map(([type, name]) => {
    const whole = operations.find((operation) => operation.name === name)?.documents.find(({ id }) => id === name);
    if (whole === undefined) throw new Error(`schema/event-subjects.ts names the unknown operation ${name}.`);
    const document = overNodes(type, whole.text());
    const [error] = validate(schema, document);
    if (error !== undefined) throw new Error(`The query of ${type} events is invalid: ${error.message}`);
    return [type, print(document)] as const;
  });
  return new Map([[file, `${JSON.stringify(Object.fromEntries(queries), null, 2)}\n`]]);
}
