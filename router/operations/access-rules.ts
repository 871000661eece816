/** The access rules that a schema declares per field, and whether a viewer satisfies them. */
import { getDirectiveValues, isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLCompositeType, GraphQLSchema } from 'graphql';
import { isScope } from '../../schema/scopes.ts';
import type { Scope } from '../../schema/scopes.ts';
import type { Viewer } from '../../schema/viewer.ts';

/** Requires a key, and all scopes of one of the sets. */
export interface AccessRule {
  readonly anyOf: readonly (readonly Scope[])[];
}

export interface AccessRules {
  /** The rules of a field of this type; an interface field has the rules of all its implementations. */
  of(parent: GraphQLCompositeType, field: string): readonly AccessRule[];
}

/** Whether the viewer may use the field. The system always may; an administrator has the scopes of the role. */
export function satisfies(viewer: Viewer, rule: AccessRule): boolean {
  if (viewer.kind === 'SYSTEM') return true;
  if (viewer.kind === 'ANONYMOUS') return false;
  return rule.anyOf.length === 0 || rule.anyOf.some((all) => all.every((scope) => viewer.scopes.includes(scope)));
}

function declared(schema: GraphQLSchema): Map<string, AccessRule[]> {
  const found = new Map<string, AccessRule[]>();
  const authenticated = schema.getDirective('authenticated');
  const requiresScopes = schema.getDirective('requiresScopes');
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.astNode === undefined || field.astNode === null) continue;
      const rules: AccessRule[] = [];
      if (authenticated && getDirectiveValues(authenticated, field.astNode) !== undefined) rules.push({ anyOf: [] });
      const given = requiresScopes ? getDirectiveValues(requiresScopes, field.astNode)?.['scopes'] : undefined;
      if (Array.isArray(given)) {
        const unknown = given.flat().filter((scope) => !isScope(scope));
        if (unknown.length > 0) throw new Error(`${type.name}.${field.name} declares unknown scopes: ${unknown.join(', ')}`);
        rules.push({ anyOf: given.map((all) => [all].flat().filter(isScope)) });
      }
      if (rules.length > 0) found.set(`${type.name}.${field.name}`, rules);
    }
  }
  return found;
}

const known = new WeakMap<GraphQLSchema, AccessRules>();

/** The access rules of a schema; computed once. Throws when the SDL names a scope that does not exist. */
export function accessRulesOf(schema: GraphQLSchema): AccessRules {
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  const byField = declared(schema);
  const merged = new Map<string, readonly AccessRule[]>();
  const none: readonly AccessRule[] = [];
  const rules: AccessRules = {
    of(parent, field) {
      if (byField.size === 0) return none;
      if (!isInterfaceType(parent)) return byField.get(`${parent.name}.${field}`) ?? none;
      const key = `${parent.name}.${field}`;
      let all = merged.get(key);
      if (all === undefined) {
        const types = [parent, ...schema.getPossibleTypes(parent)];
        all = types.flatMap((type) => byField.get(`${type.name}.${field}`) ?? []);
        merged.set(key, all);
      }
      return all;
    },
  };
  known.set(schema, rules);
  return rules;
}
