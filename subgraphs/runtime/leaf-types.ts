/** Checks the leaves of a response: graphql-jit converts and checks each one at the cost of two lists, so it copies them instead. */
import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
} from 'graphql';
import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';

/** Conditions under which a value `v` is not of a built-in type as graphql-js returns it. */
const isOther: Readonly<Record<string, string>> = {
  Boolean: `typeof v !== 'boolean'`,
  Float: '!Number.isFinite(v)',
  ID: `typeof v !== 'string'`,
  Int: '(v | 0) !== v',
  String: `typeof v !== 'string'`,
};

/** Whether the data of a response has the leaf types of the schema. */
export type LeafCheck = (data: unknown) => boolean;

/**
 * Compiles the check of a valid query's data to one function, like the query itself. Fields with one response key have the same leaf
 * types in all fragments (GraphQL, section 5.3.2), so each selection is checked on every object, and absent members pass.
 */
export function compileLeafCheck(schema: GraphQLSchema, document: DocumentNode): LeafCheck {
  const fragments = new Map<string, FragmentDefinitionNode>(
    document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  /** Sources of the functions that check objects. */
  const functions: string[] = [];
  const enums: ReadonlySet<unknown>[] = [];

  /** A statement that returns false when the value of the leaf `v` has another type. Custom scalars are checked by graphql-jit. */
  function leaf(type: GraphQLOutputType): string {
    const named = getNamedType(type);
    if (!isEnumType(named)) return isOther[named.name] === undefined ? '' : `if (${isOther[named.name]}) return false;`;
    const index = enums.push(new Set(named.getValues().map(({ name }) => name))) - 1;
    return `if (!enums[${index}].has(v)) return false;`;
  }

  /** The check at the depth of the type's lists. Nulls have been completed before. */
  function inLists(type: GraphQLOutputType, check: string): string {
    const nullable = getNullableType(type);
    const inner = isListType(nullable)
      ? `if (!Array.isArray(v)) return false; for (const item of v) { const v = item; ${inLists(nullable.ofType, check)} }`
      : check;
    return `if (v !== null && v !== undefined) { ${inner} }`;
  }

  function members({ selections }: SelectionSetNode, type: GraphQLCompositeType): string {
    const statements = selections.map((selection) => {
      if (selection.kind !== Kind.FIELD) {
        const body = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
        const condition = body?.typeCondition === undefined ? type : schema.getType(body.typeCondition.name.value);
        return body !== undefined && isCompositeType(condition) ? members(body.selectionSet, condition) : '';
      }
      const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[selection.name.value] : undefined;
      if (field === undefined) return '';
      const named = getNamedType(field.type);
      const inner = selection.selectionSet && isCompositeType(named) ? object(selection.selectionSet, named) : leaf(field.type);
      // a response key is a GraphQL name: letters, digits and underscores
      const key = (selection.alias ?? selection.name).value;
      return inner === '' ? '' : `{ const v = o.${key}; ${inLists(field.type, inner)} }`;
    });
    return statements.join('\n');
  }

  function object(set: SelectionSetNode, type: GraphQLCompositeType): string {
    const body = members(set, type);
    const name = `object${functions.length}`;
    functions.push(`function ${name}(o) { ${body}\nreturn true; }`);
    return `if (typeof v !== 'object' || !${name}(v)) return false;`;
  }

  const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  const root = schema.getQueryType();
  if (operation === undefined || !root) return () => true;
  const check = object(operation.selectionSet, root);
  const source = `${functions.join('\n')}\nreturn (v) => { if (v !== null && v !== undefined) { ${check} } return true; };`;
  /* eslint-disable @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- from a validated document, like the functions of graphql-jit */
  const made: unknown = new Function('enums', source)(enums);
  if (typeof made !== 'function') throw new Error('The source of the leaf check returned no function.');
  return (data) => made(data) === true;
  /* eslint-enable @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call */
}
