/** Static rights (@authenticated, @requiresScopes): roots are refused, nested fields are taken out before planning. */
import { getNamedType, isCompositeType, isInterfaceType, isObjectType, Kind, OperationTypeNode } from 'graphql';
import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GraphError } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Scope } from '../../schema/scopes.ts';
import { missingAccess } from '../admission/rejection.ts';
import type { AccessRequirement, WriteAccess } from '../admission/rejection.ts';
import { plannerInput } from '../planner/planner-input.ts';
import { accessRulesOf, satisfies } from './access-rules.ts';
import type { AccessRule } from './access-rules.ts';

/** What a viewer may run of an operation. */
export interface Permitted {
  /** Text to plan; the operation as it was asked when nothing is denied. */
  readonly document: string;
  /** One error per denied field, with the response keys that lead to it. */
  readonly denied: readonly GraphError[];
}

export interface Authorization {
  /**
   * What may be planned and run for this viewer. Throws api_key_missing, write_not_in_plan or insufficient_scope when a
   * root field is out of his reach, and upstream_unavailable for a mutation while nobody may write.
   */
  permit(viewer: Viewer, writes: WriteAccess): Permitted;
  /** The whole operation's text, as it is planned when nothing is denied. */
  readonly text: string;
  /** What the roots need, so that admission can refuse before anything is charged. */
  readonly requirement: AccessRequirement;
}

/** Distinct sets of rights an operation is compiled for at most. */
const maxMasks = 64;

function refusal(right: AccessRule, viewer: Viewer, writes: WriteAccess): Problem {
  const problem = missingAccess({ key: true, scopes: right.anyOf[0] ?? [] }, viewer, writes !== 'NOT_IN_PLAN');
  return problem ?? new Problem('insufficient_scope', 'The API key lacks a scope.');
}

/** The sets of scopes of which each gives all of the rights; a right that a document asks for often counts once. */
function setsOf(rights: readonly AccessRule[]): readonly (readonly Scope[])[] {
  const distinct = [...new Set(rights)].filter(({ anyOf }) => anyOf.length > 0);
  const sets = distinct.reduce<Scope[][]>((all, { anyOf }) => all.flatMap((set) => anyOf.map((one) => [...set, ...one])), [[]]);
  return sets.map((set) => [...new Set(set)]);
}

/** Compiled once per document; `document` is valid against `schema`. */
export function compileAuthorization(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Authorization {
  const rights = accessRulesOf(schema);
  const text = plannerInput(document);
  const asAsked: Permitted = { document: text, denied: [] };
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const root = schema.getRootType(operation.operation);
  if (root === undefined || root === null) throw new Problem('operation_unknown', `The schema has no ${operation.operation}.`);

  const roots: AccessRule[] = [];
  const mentioned = new Set<AccessRule>();
  walkRights(operation.selectionSet, root, true, new Set());

  /** Notes which rights the operation touches, each fragment once. */
  function walkRights(set: SelectionSetNode, parent: GraphQLCompositeType, atRoot: boolean, seen: Set<string>): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const own = rights.of(parent, selection.name.value);
        for (const right of own) {
          if (atRoot) roots.push(right);
          else mentioned.add(right);
        }
        const inner = innerType(parent, selection.name.value);
        if (selection.selectionSet !== undefined && inner !== null) walkRights(selection.selectionSet, inner, false, seen);
        continue;
      }
      const body = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (body === undefined) continue;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const key = `${String(atRoot)} ${selection.name.value}`;
        if (seen.has(key)) continue;
        seen.add(key);
      }
      walkRights(body.selectionSet, conditionType(body.typeCondition?.name.value, parent), atRoot, seen);
    }
  }

  function innerType(parent: GraphQLCompositeType, field: string): GraphQLCompositeType | null {
    if (!isObjectType(parent) && !isInterfaceType(parent)) return null;
    const definition = parent.getFields()[field];
    const type = definition === undefined ? null : getNamedType(definition.type);
    return isCompositeType(type) ? type : null;
  }

  function conditionType(name: string | undefined, parent: GraphQLCompositeType): GraphQLCompositeType {
    const type = name === undefined ? parent : schema.getType(name);
    return isCompositeType(type) ? type : parent;
  }

  // Of several sets that would do, the first is the one that is asked for.
  const [scopes = [], ...alternatives] = setsOf(roots);
  const requirement: AccessRequirement = { key: roots.length > 0, scopes, alternatives };
  const refuseWhileAway = (writes: WriteAccess): void => {
    if (writes !== 'UNAVAILABLE' || operation.operation !== OperationTypeNode.MUTATION) return;
    throw new Problem(
      'upstream_unavailable',
      'Quotas cannot be counted just now, and without that nothing is written. Try again shortly.',
    );
  };
  if (mentioned.size === 0 && roots.length === 0) {
    const permit: Authorization['permit'] = (_, writes) => {
      refuseWhileAway(writes);
      return asAsked;
    };
    return { permit, requirement, text };
  }

  const mask = [...mentioned];
  const compiled = new LRUCache<string, Permitted>({ max: maxMasks });
  return {
    requirement,
    text,
    permit(viewer, writes) {
      const refused = roots.find((right) => !satisfies(viewer, right));
      if (refused !== undefined) throw refusal(refused, viewer, writes);
      refuseWhileAway(writes);
      const denied = new Set(mask.filter((right) => !satisfies(viewer, right)));
      if (denied.size === 0) return asAsked;
      const key = mask.map((right) => (denied.has(right) ? '0' : '1')).join('');
      const known = compiled.get(key);
      if (known !== undefined) return known;
      const permitted = rewrite(denied);
      compiled.set(key, permitted);
      return permitted;
    },
  };

  function isDenied(denied: ReadonlySet<AccessRule>, parent: GraphQLCompositeType, field: string): boolean {
    return rights.of(parent, field).some((right) => denied.has(right));
  }

  /** A field's parent type is given by the fragment it stands in, so every fragment is rewritten once, for all its places. */
  function rewrite(denied: ReadonlySet<AccessRule>): Permitted {
    const definitions = document.definitions.map((definition) => {
      if (definition === operation)
        return { ...operation, selectionSet: without(operation.selectionSet, rootType(), denied, true) };
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) return definition;
      const type = conditionType(definition.typeCondition.name.value, rootType());
      return { ...definition, selectionSet: without(definition.selectionSet, type, denied, type === root) };
    });
    return { document: plannerInput({ ...document, definitions }), denied: deniedPaths(denied) };
  }

  function rootType(): GraphQLCompositeType {
    return root as GraphQLCompositeType;
  }

  function without(
    set: SelectionSetNode,
    parent: GraphQLCompositeType,
    denied: ReadonlySet<AccessRule>,
    atRoot: boolean,
  ): SelectionSetNode {
    const kept = set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection];
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const type = conditionType(selection.typeCondition?.name.value, parent);
        return [{ ...selection, selectionSet: without(selection.selectionSet, type, denied, atRoot) }];
      }
      if (!atRoot && isDenied(denied, parent, selection.name.value)) return [];
      const inner = innerType(parent, selection.name.value);
      if (selection.selectionSet === undefined || inner === null) return [selection];
      return [{ ...selection, selectionSet: without(selection.selectionSet, inner, denied, false) }];
    });
    const nothing: SelectionNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };
    return { ...set, selections: kept.length > 0 ? kept : [nothing] };
  }

  function deniedPaths(denied: ReadonlySet<AccessRule>): GraphError[] {
    const faults = new Map<string, GraphError>();
    const walk = (set: SelectionSetNode, parent: GraphQLCompositeType, path: readonly string[]): void => {
      for (const selection of set.selections) {
        if (selection.kind !== Kind.FIELD) {
          const body = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
          if (body !== undefined) walk(body.selectionSet, conditionType(body.typeCondition?.name.value, parent), path);
          continue;
        }
        const here = [...path, selection.alias?.value ?? selection.name.value];
        if (path.length > 0 && isDenied(denied, parent, selection.name.value))
          faults.set(here.join('.'), deniedError(parent, selection.name.value, here));
        else {
          const inner = innerType(parent, selection.name.value);
          if (selection.selectionSet !== undefined && inner !== null) walk(selection.selectionSet, inner, here);
        }
      }
    };
    walk(operation.selectionSet, rootType(), []);
    return [...faults.values()];
  }

  function deniedError(parent: GraphQLCompositeType, field: string, path: readonly string[]): GraphError {
    const needed = [...new Set(rights.of(parent, field).flatMap((right) => right.anyOf.flat()))];
    const what = needed.length > 0 ? `the scope ${needed.join(' or ')}` : 'an API key';
    return {
      message: `${parent.name}.${field} needs ${what}.`,
      path,
      extensions: { code: 'insufficient_scope', requiredScopes: needed },
    };
  }
}
