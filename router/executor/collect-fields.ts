/** Collects the fields that an operation selects on a type (GraphQL, CollectFields), with @skip and @include applied. */
import { isAbstractType, isInterfaceType, isObjectType, Kind } from 'graphql';
import type { FieldNode, GraphQLCompositeType, GraphQLSchema, SelectionSetNode } from 'graphql';
import { fragmentBody } from '../operations/document-types.ts';
import type { Fragments } from '../operations/document-types.ts';
import { isIncluded, type Conditions } from '../operations/conditions.ts';

export type CollectFields = (
  sources: readonly SelectionSetNode[],
  type: GraphQLCompositeType,
) => ReadonlyMap<string, readonly FieldNode[]>;

/** The fields by response key, in the order of the operation. */
export function createCollectFields(schema: GraphQLSchema, fragments: Fragments, conditions: Conditions): CollectFields {
  function applies(condition: string | undefined, type: GraphQLCompositeType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const wanted = schema.getType(condition);
    return isAbstractType(wanted) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(wanted, type);
  }

  function collect({ selections }: SelectionSetNode, type: GraphQLCompositeType, into: Map<string, FieldNode[]>): void {
    for (const selection of selections) {
      if (!isIncluded(selection.directives, conditions)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        into.set(key, [...(into.get(key) ?? []), selection]);
        continue;
      }
      const body = fragmentBody(selection, fragments);
      if (body !== undefined && applies(body.typeCondition?.name.value, type)) collect(body.selectionSet, type, into);
    }
  }

  return (sources, type) => {
    const fields = new Map<string, FieldNode[]>();
    for (const set of sources) collect(set, type, fields);
    return fields;
  };
}
