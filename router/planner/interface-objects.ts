/**
 * Corrects entity fetches from areas that know only an interface (@interfaceObject). The native planner merges the selections of several
 * types into one on the interface, but requires only the entities of one of the types: data of the others would be missing. A corrected
 * fetch requests the entities of all types of the interface.
 */
import { isInterfaceType, isObjectType, Kind, parse } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { PlannedFetch, RequiredEntities } from './plan.ts';

/** The interfaces that an entity fetch selects on. */
function selectedInterfaces(supergraph: GraphQLSchema, text: string): readonly string[] {
  const { definitions } = parse(text, { noLocation: true });
  const roots = definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? each.selectionSet.selections : []));
  const selections = roots.flatMap((each) => (each.kind === Kind.FIELD ? (each.selectionSet?.selections ?? []) : []));
  const types = selections.flatMap((each) => (each.kind === Kind.INLINE_FRAGMENT ? (each.typeCondition?.name.value ?? []) : []));
  return types.filter((name) => isInterfaceType(supergraph.getType(name)));
}

function widened(
  supergraph: GraphQLSchema,
  interfaces: readonly string[],
  { selections, rewrites }: RequiredEntities,
): RequiredEntities {
  const interfaceOf = (name: string): string => {
    const type = supergraph.getType(name);
    const found = interfaces.find((each) => {
      const wanted = supergraph.getType(each);
      return isInterfaceType(wanted) && isObjectType(type) && supergraph.isSubType(wanted, type);
    });
    return found ?? name;
  };
  return {
    selections: selections.map((each) => (each.kind === 'Fragment' ? { ...each, type: interfaceOf(each.type) } : each)),
    rewrites: rewrites.map((rewrite) => ({
      ...rewrite,
      path: rewrite.path.map((step) => (typeof step === 'string' ? step : { types: step.types.map(interfaceOf) })),
    })),
  };
}

export function correctInterfaceObjects(fetch: PlannedFetch, supergraph: GraphQLSchema): PlannedFetch {
  if (fetch.entities === null) return fetch;
  const interfaces = selectedInterfaces(supergraph, fetch.text);
  return interfaces.length === 0 ? fetch : { ...fetch, entities: widened(supergraph, interfaces, fetch.entities) };
}
