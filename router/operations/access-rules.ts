/** The rights a schema declares, by field, and whether a viewer has them. */
import { getDirectiveValues, isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLCompositeType, GraphQLSchema } from 'graphql';
import { isScope } from '../../schema/scopes.ts';
import type { Scope } from '../../schema/scopes.ts';
import type { Viewer } from '../../schema/viewer.ts';

/** What one field needs: any key at all, or all scopes of one of the sets. */
export interface AccessRule {
  readonly anyOf: readonly (readonly Scope[])[];
}

export interface AccessRules {
  /** Every right a field needs, seen through this type: an interface needs what any of its implementations needs. */
  of(parent: GraphQLCompositeType, field: string): readonly AccessRule[];
}

/** True when the viewer may use the field: the platform itself may, an administrator may read, and change what the role allows. */
export function satisfies(viewer: Viewer, right: AccessRule): boolean {
  if (viewer.kind === 'SYSTEM') return true;
  if (viewer.kind === 'ANONYMOUS') return false;
  return right.anyOf.length === 0 || right.anyOf.some((all) => all.every((scope) => viewer.scopes.includes(scope)));
}

function declared(schema: GraphQLSchema): Map<string, AccessRule[]> {
  const found = new Map<string, AccessRule[]>();
  const authenticated = schema.getDirective('authenticated');
  const requiresScopes = schema.getDirective('requiresScopes');
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.astNode === undefined || field.astNode === null) continue;
      const rights: AccessRule[] = [];
      if (authenticated && getDirectiveValues(authenticated, field.astNode) !== undefined) rights.push({ anyOf: [] });
      const given = requiresScopes ? getDirectiveValues(requiresScopes, field.astNode)?.['scopes'] : undefined;
      if (Array.isArray(given)) {
        const sets = given as string[][];
        const unknown = sets.flat().filter((scope) => !isScope(scope));
        if (unknown.length > 0) throw new Error(`${type.name}.${field.name} names unknown scopes: ${unknown.join(', ')}`);
        rights.push({ anyOf: sets as Scope[][] });
      }
      if (rights.length > 0) found.set(`${type.name}.${field.name}`, rights);
    }
  }
  return found;
}

const known = new WeakMap<GraphQLSchema, AccessRules>();

/** The rights of a schema; computed once. Throws when the SDL names a scope that does not exist. */
export function accessRulesOf(schema: GraphQLSchema): AccessRules {
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  const byField = declared(schema);
  const merged = new Map<string, readonly AccessRule[]>();
  const none: readonly AccessRule[] = [];
  const rights: AccessRules = {
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
  known.set(schema, rights);
  return rights;
}
