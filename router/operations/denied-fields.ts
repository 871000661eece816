/** Removes the fields from an operation that a viewer may not read, and reports each with its response path. */
import { Kind } from 'graphql';
import type {
  DocumentNode,
  GraphQLCompositeType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import type { GraphError } from '../../schema/entry-point.ts';
import { plannerInput } from '../planner/planner-input.ts';
import type { AccessRule, AccessRules } from './access-rules.ts';
import type { Permitted } from './authorization.ts';
import { conditionType, fieldType, fragmentBody } from './document-types.ts';
import type { Fragments } from './document-types.ts';

export interface DeniedFieldsOptions {
  readonly schema: GraphQLSchema;
  readonly rules: AccessRules;
  readonly fragments: Fragments;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The type of the operation's root fields. */
  readonly root: GraphQLCompositeType;
}

const placeholder: SelectionNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/** Returns the function that compiles the operation without the fields of the denied rules. Root fields are not checked. */
export function createDeniedFields(options: DeniedFieldsOptions): (denied: ReadonlySet<AccessRule>) => Permitted {
  const { schema, rules, fragments, document, operation, root } = options;

  function isDenied(denied: ReadonlySet<AccessRule>, parent: GraphQLCompositeType, field: string): boolean {
    return rules.of(parent, field).some((rule) => denied.has(rule));
  }

  function without(
    set: SelectionSetNode,
    parent: GraphQLCompositeType,
    denied: ReadonlySet<AccessRule>,
    atRoot: boolean,
  ): SelectionSetNode {
    const selections = set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const type = conditionType(schema, selection.typeCondition?.name.value, parent);
        return [{ ...selection, selectionSet: without(selection.selectionSet, type, denied, atRoot) }];
      }
      if (!atRoot && isDenied(denied, parent, selection.name.value)) return [];
      const inner = fieldType(parent, selection.name.value);
      if (selection.selectionSet === undefined || inner === null) return [selection];
      return [{ ...selection, selectionSet: without(selection.selectionSet, inner, denied, false) }];
    });
    return { ...set, selections: selections.length > 0 ? selections : [placeholder] };
  }

  function deniedError(parent: GraphQLCompositeType, field: string, path: readonly string[]): GraphError {
    const requiredScopes = [...new Set(rules.of(parent, field).flatMap((rule) => rule.anyOf.flat()))];
    const access = requiredScopes.length > 0 ? `the scope ${requiredScopes.join(' or ')}` : 'an API key';
    return {
      message: `${parent.name}.${field} requires ${access}.`,
      path,
      extensions: { code: 'insufficient_scope', requiredScopes },
    };
  }

  function errorsOf(denied: ReadonlySet<AccessRule>): GraphError[] {
    const errors = new Map<string, GraphError>();
    const walk = (set: SelectionSetNode, parent: GraphQLCompositeType, path: readonly string[]): void => {
      for (const selection of set.selections) {
        if (selection.kind !== Kind.FIELD) {
          const body = fragmentBody(selection, fragments);
          if (body !== undefined) walk(body.selectionSet, conditionType(schema, body.typeCondition?.name.value, parent), path);
          continue;
        }
        const here = [...path, selection.alias?.value ?? selection.name.value];
        if (path.length > 0 && isDenied(denied, parent, selection.name.value))
          errors.set(here.join('.'), deniedError(parent, selection.name.value, here));
        else {
          const inner = fieldType(parent, selection.name.value);
          if (selection.selectionSet !== undefined && inner !== null) walk(selection.selectionSet, inner, here);
        }
      }
    };
    walk(operation.selectionSet, root, []);
    return [...errors.values()];
  }

  return (denied) => {
    // the type condition of a fragment decides its parent type, so each fragment is rewritten once for all its uses
    const definitions = document.definitions.map((definition) => {
      if (definition === operation) return { ...operation, selectionSet: without(operation.selectionSet, root, denied, true) };
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) return definition;
      const type = conditionType(schema, definition.typeCondition.name.value, root);
      return { ...definition, selectionSet: without(definition.selectionSet, type, denied, type === root) };
    });
    return { document: plannerInput({ ...document, definitions }), denied: errorsOf(denied) };
  };
}
