/** The JSON Schema of responses, derived from the selections of operations: the documentation matches what is fetched. */
import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isCompositeType,
  isInputType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLNamedType,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import type { JsonSchema, JsonSchemas } from '../../schema/json-schema.ts';
import { responseName } from '../operations/documents.ts';

export interface ResponseSchemas {
  /** The schema of a field's value. */
  of(
    type: GraphQLOutputType,
    selections: SelectionSetNode | undefined,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ): JsonSchema;
  /** One component per fragment used so far, by the fragment's name. */
  components(): Readonly<Record<string, JsonSchema>>;
}

export function createResponseSchemas(schema: GraphQLSchema, inputs: JsonSchemas): ResponseSchemas {
  const named = new Map<string, JsonSchema>();

  function of(
    type: GraphQLOutputType,
    selections: SelectionSetNode | undefined,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ): JsonSchema {
    const bare = getNullableType(type);
    const schemaOf = isListType(bare)
      ? { type: 'array', items: of(bare.ofType, selections, fragments) }
      : selections
        ? objectOf(getNamedType(bare), selections, fragments)
        : leaf(bare);
    return isNonNullType(type) ? schemaOf : nullable(schemaOf);
  }

  function leaf(type: GraphQLOutputType): JsonSchema {
    return isInputType(type) ? inputs.ofType(new GraphQLNonNull(getNullableType(type))) : {};
  }

  /** A selection of a single fragment is that fragment's component. */
  function objectOf(
    type: GraphQLNamedType,
    selections: SelectionSetNode,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ): JsonSchema {
    const [only, ...others] = selections.selections;
    const fragment = others.length === 0 && only?.kind === Kind.FRAGMENT_SPREAD ? fragments.get(only.name.value) : undefined;
    if (!fragment) return membersOf(type, selections, fragments);
    const name = fragment.name.value;
    if (!named.has(name)) {
      named.set(name, {});
      named.set(name, membersOf(type, fragment.selectionSet, fragments));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  function membersOf(
    type: GraphQLNamedType,
    selections: SelectionSetNode,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required = new Set<string>();
    collect(schema, type, selections, fragments, true, (owner, field, always) => {
      const definition = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[field.name.value] : undefined;
      const name = responseName(field);
      const value = definition ? of(definition.type, field.selectionSet, fragments) : { type: 'string' };
      properties[name] = definition?.description ? { ...value, description: definition.description } : value;
      if (always && !field.directives?.some((directive) => directive.name.value === 'optional')) required.add(name);
    });
    return { type: 'object', properties, ...(required.size > 0 ? { required: [...required] } : {}) };
  }

  return { of, components: () => Object.fromEntries(named) };
}

function nullable(inner: JsonSchema): JsonSchema {
  return typeof inner['type'] === 'string' ? { ...inner, type: [inner['type'], 'null'] } : { anyOf: [inner, { type: 'null' }] };
}

/** Calls `add` for every field of the selections, also within fragments; `always` is false for fields that only some types have. */
function collect(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  selections: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  always: boolean,
  add: (owner: GraphQLNamedType, field: FieldNode, always: boolean) => void,
): void {
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      add(type, selection, always);
      continue;
    }
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    if (!inner) continue;
    const owner = inner.typeCondition ? schema.getType(inner.typeCondition.name.value) : type;
    if (owner && isCompositeType(owner)) collect(schema, owner, inner.selectionSet, fragments, always && owner === type, add);
  }
}
