/** The root fields of an operation that the router answers without an area (schema/router-fields.ts). */
import { execute, Kind, OperationTypeNode, visit } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql';
import { routerFields } from '../../schema/router-fields.ts';
import { Problem } from '../../schema/errors.ts';
import { fragmentBody, fragmentsOf } from './document-types.ts';
import type { Fragments } from './document-types.ts';

/** The functions that answer the fields. */
export interface RouterResolvers {
  readonly rateLimit: () => unknown;
  readonly documentChecks: (given: { readonly texts: readonly string[] }) => unknown;
}

/** Answers the fields; returns their values by response key. */
export type AnswerRouterFields = (
  resolvers: RouterResolvers,
  variables: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

/** The router's fields of a selection, with the conditions of their fragments. */
function ownSelections({ selections }: SelectionSetNode, fragments: Fragments): readonly SelectionNode[] {
  return selections.flatMap((selection): readonly SelectionNode[] => {
    if (selection.kind === Kind.FIELD) return routerFields.has(selection.name.value) ? [selection] : [];
    const body = fragmentBody(selection, fragments);
    const inner = body === undefined ? [] : ownSelections(body.selectionSet, fragments);
    if (inner.length === 0) return [];
    const { directives = [] } = selection;
    return [{ kind: Kind.INLINE_FRAGMENT, directives, selectionSet: { kind: Kind.SELECTION_SET, selections: inner } }];
  });
}

/** Compiled once per valid document; null for an operation without such fields, which is usual. */
export function compileRouterFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): AnswerRouterFields | null {
  if (operation.operation !== OperationTypeNode.QUERY) return null;
  const fragments = fragmentsOf(document);
  const selections = ownSelections(operation.selectionSet, fragments);
  if (selections.length === 0) return null;
  const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections };
  const variables = new Set<string>();
  // each variable of the values below is coerced, and those of other fields have other types
  visit(
    {
      kind: Kind.DOCUMENT,
      definitions: [{ kind: Kind.OPERATION_DEFINITION, operation: operation.operation, selectionSet }, ...fragments.values()],
    },
    { Variable: ({ name }) => void variables.add(name.value) },
  );
  const own: OperationDefinitionNode = {
    ...operation,
    selectionSet,
    variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) => variables.has(variable.name.value)),
  };
  const answered: DocumentNode = { kind: Kind.DOCUMENT, definitions: [own, ...fragments.values()] };
  return async (rootValue, variableValues) => {
    const { data, errors } = await execute({ schema, document: answered, rootValue, variableValues: { ...variableValues } });
    const [error] = errors ?? [];
    if (error?.originalError instanceof Problem) throw error.originalError;
    if (error !== undefined) throw error;
    return { ...data };
  };
}
