/** Checks that data has the selected members in the order of the specification (CollectFields). */
import { getNamedType, isAbstractType, isCompositeType, isObjectType, Kind, OperationTypeNode } from 'graphql';
import type { DocumentNode, FieldNode, FragmentDefinitionNode, GraphQLCompositeType, GraphQLObjectType } from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import type { ExecutionRequest } from '../../router/executor/executor.ts';

type Fields = ReturnType<typeof collectFields>;
type Members = Readonly<Record<string, unknown>>;

/** An operation with coerced variables. */
export type PreparedRequest = Omit<ExecutionRequest, 'plan'>;

export interface Shape {
  /** Whether the data has exactly the selected members. */
  readonly isComplete: boolean;
  readonly isInOrder: boolean;
}

/** Checks a response. The variables must be coerced. */
export function shapeOf(request: PreparedRequest, data: Members | null): Shape {
  const isInOrder = fitsOperation(request, data, (keys) => keys.join());
  return { isInOrder, isComplete: isInOrder || fitsOperation(request, data, (keys) => keys.sort().join()) };
}

const fragmentsOf = (document: DocumentNode): Record<string, FragmentDefinitionNode> =>
  Object.fromEntries(
    document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  );

/** The response keys of the selected mutations, in the order in which they must be executed; empty for a query. */
export function mutationsOf({ schema, document, operation, variables }: PreparedRequest): readonly string[] {
  const root = schema.getMutationType();
  if (operation.operation !== OperationTypeNode.MUTATION || !root) return [];
  const fields = collectFields(schema, fragmentsOf(document), variables, root, operation.selectionSet);
  return [...fields].filter(([, [field]]) => field?.name.value !== '__typename').map(([key]) => key);
}

function fitsOperation(
  { schema, document, operation, variables }: PreparedRequest,
  data: Members | null,
  describeKeys: (keys: string[]) => string,
): boolean {
  const fragments = fragmentsOf(document);

  function fits(object: Members, type: GraphQLObjectType, fields: Fields): boolean {
    if (describeKeys(Object.keys(object)) !== describeKeys([...fields.keys()])) return false;
    return [...fields].every(([key, nodes]) => {
      const name = nodes[0]?.name.value ?? '';
      if (name === '__typename') return object[key] === type.name;
      const field = type.getFields()[name];
      const inner = field === undefined ? null : getNamedType(field.type);
      return !isCompositeType(inner) || every(object[key], inner, nodes);
    });
  }

  function every(value: unknown, type: GraphQLCompositeType, nodes: readonly FieldNode[]): boolean {
    if (value === null) return true;
    if (Array.isArray(value)) return value.every((item) => every(item, type, nodes));
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
    return types.some((each) => fits(value as Members, each, collectSubfields(schema, fragments, variables, each, nodes)));
  }

  const root = schema.getRootType(operation.operation);
  if (data === null || !isObjectType(root)) return data === null;
  return fits(data, root, collectFields(schema, fragments, variables, root, operation.selectionSet));
}
