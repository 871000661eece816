/** Static access rules (@authenticated, @requiresScopes): denied root fields reject the operation, denied nested fields are removed. */
import { Kind, OperationTypeNode } from 'graphql';
import type { DocumentNode, GraphQLCompositeType, GraphQLSchema, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GraphError } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { Scope } from '../../schema/scopes.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { missingAccess } from '../admission/rejection.ts';
import type { AccessRequirement, WriteAccess } from '../admission/rejection.ts';
import { plannerInput } from '../planner/planner-input.ts';
import { accessRulesOf, satisfies } from './access-rules.ts';
import type { AccessRule, AccessRules } from './access-rules.ts';
import { createDeniedFields } from './denied-fields.ts';
import { conditionType, fieldType, fragmentBody, fragmentsOf } from './document-types.ts';
import type { Fragments } from './document-types.ts';

/** The part of an operation that a viewer may run. */
export interface Permitted {
  /** Text to plan; the whole operation when nothing is denied. */
  readonly document: string;
  /** One error per denied field, with its response path. */
  readonly denied: readonly GraphError[];
}

export interface Authorization {
  /**
   * The part to plan and run for this viewer. Throws api_key_missing, write_not_in_plan or insufficient_scope for a denied
   * root field, and upstream_unavailable for a mutation while the quota store is down.
   */
  permit(viewer: Viewer, writes: WriteAccess): Permitted;
  /** The text of the whole operation, as planned when nothing is denied. */
  readonly text: string;
  /** Access required by the root fields, so that admission can reject before charging. */
  readonly requirement: AccessRequirement;
}

/** Maximum number of rule sets that an operation is compiled for. */
const maxMasks = 64;

function rejection(rule: AccessRule, viewer: Viewer, writes: WriteAccess): Problem {
  const problem = missingAccess({ key: true, scopes: rule.anyOf[0] ?? [] }, viewer, writes !== 'NOT_IN_PLAN');
  return problem ?? new Problem('insufficient_scope', 'The API key lacks a required scope.');
}

/** The scope sets of which each satisfies all rules. */
function sufficientSets(rules: readonly AccessRule[]): readonly (readonly Scope[])[] {
  const distinct = [...new Set(rules)].filter(({ anyOf }) => anyOf.length > 0);
  const sets = distinct.reduce<Scope[][]>((all, { anyOf }) => all.flatMap((set) => anyOf.map((one) => [...set, ...one])), [[]]);
  return sets.map((set) => [...new Set(set)]);
}

interface RulesInUse {
  /** Rules of root fields. */
  readonly roots: readonly AccessRule[];
  /** Rules of nested fields. */
  readonly nested: ReadonlySet<AccessRule>;
}

/** Collects the rules of the fields that an operation selects; each fragment is visited once. */
function collectRules(
  schema: GraphQLSchema,
  rules: AccessRules,
  fragments: Fragments,
  operation: OperationDefinitionNode,
  root: GraphQLCompositeType,
): RulesInUse {
  const roots: AccessRule[] = [];
  const nested = new Set<AccessRule>();
  const visited = new Set<string>();

  function walk(set: SelectionSetNode, parent: GraphQLCompositeType, atRoot: boolean): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        for (const rule of rules.of(parent, selection.name.value)) {
          if (atRoot) roots.push(rule);
          else nested.add(rule);
        }
        const inner = fieldType(parent, selection.name.value);
        if (selection.selectionSet !== undefined && inner !== null) walk(selection.selectionSet, inner, false);
        continue;
      }
      const body = fragmentBody(selection, fragments);
      if (body === undefined) continue;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const key = `${String(atRoot)} ${selection.name.value}`;
        if (visited.has(key)) continue;
        visited.add(key);
      }
      walk(body.selectionSet, conditionType(schema, body.typeCondition?.name.value, parent), atRoot);
    }
  }

  walk(operation.selectionSet, root, true);
  return { roots, nested };
}

/** Compiled once per document; `document` is valid against `schema`. */
export function compileAuthorization(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Authorization {
  const rules = accessRulesOf(schema);
  const text = plannerInput(document);
  const whole: Permitted = { document: text, denied: [] };
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation);
  if (root === undefined || root === null)
    throw new Problem('operation_unknown', `The schema does not support the operation type ${operation.operation}.`);

  const { roots, nested } = collectRules(schema, rules, fragments, operation, root);
  // of several sufficient sets, error messages name the first
  const [scopes = [], ...alternatives] = sufficientSets(roots);
  const requirement: AccessRequirement = { key: roots.length > 0, scopes, alternatives };
  const rejectUncountedWrites = (writes: WriteAccess): void => {
    if (writes !== 'UNAVAILABLE' || operation.operation !== OperationTypeNode.MUTATION) return;
    throw new Problem('upstream_unavailable', 'Writes are temporarily unavailable. Try again shortly.');
  };
  if (nested.size === 0 && roots.length === 0) {
    const permit: Authorization['permit'] = (_, writes) => {
      rejectUncountedWrites(writes);
      return whole;
    };
    return { permit, requirement, text };
  }

  const mask = [...nested];
  const compiled = new LRUCache<string, Permitted>({ max: maxMasks });
  const removeDenied = createDeniedFields({ schema, rules, fragments, document, operation, root });
  return {
    requirement,
    text,
    permit(viewer, writes) {
      const deniedRoot = roots.find((rule) => !satisfies(viewer, rule));
      if (deniedRoot !== undefined) throw rejection(deniedRoot, viewer, writes);
      rejectUncountedWrites(writes);
      const denied = new Set(mask.filter((rule) => !satisfies(viewer, rule)));
      if (denied.size === 0) return whole;
      const key = mask.map((rule) => (denied.has(rule) ? '0' : '1')).join('');
      const known = compiled.get(key);
      if (known !== undefined) return known;
      const permitted = removeDenied(denied);
      compiled.set(key, permitted);
      return permitted;
    },
  };
}
