/** The declared work of fields and types (the @cost directive of Apollo Federation 2.9), for the estimated and the actual cost. */
import { getDirectiveValues, isInterfaceType, isNonNullType, isObjectType } from 'graphql';
import type { ASTNode, GraphQLCompositeType, GraphQLSchema } from 'graphql';

/** They carry the id of an object that is not returned. */
const notEntities = new Set(['Tombstone', 'Deleted']);

function isEntity(type: GraphQLCompositeType): boolean {
  if (!isObjectType(type) && !isInterfaceType(type)) return false;
  return isNonNullType(type.getFields()['id']?.type) && !notEntities.has(type.name);
}

export interface Weights {
  /** The declared weight of a field, a type or an argument; null without one. */
  weightOf(element: { readonly astNode?: ASTNode | null | undefined }): number | null;
  /** The points of the object or objects of a composite type: those it declares, or one for an entity. */
  objectPoints(type: GraphQLCompositeType): number;
}

export function weightsOf(schema: GraphQLSchema): Weights {
  const directive = schema.getDirective('cost');
  const weightOf: Weights['weightOf'] = ({ astNode }) => {
    const weight = directive && astNode && 'directives' in astNode ? getDirectiveValues(directive, astNode)?.['weight'] : null;
    return typeof weight === 'number' ? weight : null;
  };
  return { weightOf, objectPoints: (type) => weightOf(type) ?? (isEntity(type) ? 1 : 0) };
}
