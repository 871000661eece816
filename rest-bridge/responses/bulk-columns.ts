/** The columns of a list as CSV, derived from its document: nested objects become columns with dotted names. */
import { getNamedType, getNullableType, isListType, isObjectType, type GraphQLNamedType, type SelectionSetNode } from 'graphql';
import { responseName, topFields } from '../operations/documents.ts';
import type { Operation } from '../operations/operation.ts';
import type { ReadRequest } from '../requests/request-reader.ts';

export interface Column {
  /** The members from the item to the value, joined by dots: `organization.name`. */
  readonly header: string;
  readonly path: readonly string[];
}

/** The type of the items of a list operation. */
function itemType({ rootType, resource }: Operation): GraphQLNamedType {
  const root = getNamedType(rootType);
  const field = isObjectType(root) ? root.getFields()[resource.name.value] : undefined;
  return getNamedType(field?.type ?? rootType);
}

/** Creates the function that returns the columns of a request. Lists are one column each, as JSON. */
export function createBulkColumns(operation: Operation): (read: ReadRequest) => readonly Column[] {
  function columnsOf(type: GraphQLNamedType, selections: SelectionSetNode | undefined, path: readonly string[]): Column[] {
    return topFields(selections, operation.fragments).flatMap((field) => {
      const name = responseName(field);
      const inner = isObjectType(type) ? type.getFields()[field.name.value]?.type : undefined;
      const here = [...path, name];
      const isNested = field.selectionSet !== undefined && inner !== undefined && !isListType(getNullableType(inner));
      if (isNested && isObjectType(getNamedType(inner))) return columnsOf(getNamedType(inner), field.selectionSet, here);
      return [{ header: here.join('.'), path: here }];
    });
  }

  const all = columnsOf(itemType(operation), operation.resource.selectionSet, []);
  const unique = [...new Map(all.map((column) => [column.header, column])).values()];
  const optional = new Set(operation.members.filter((member) => member.optional).map(({ name }) => name));

  return ({ documentId, variables, hidden }) => {
    const isPartial = documentId !== operation.name;
    const isSelected = (member: string): boolean => {
      if (hidden.includes(member)) return false;
      if (isPartial) return variables[`field_${member}`] !== false;
      return !optional.has(member) || variables[`include_${member}`] === true;
    };
    return unique.filter(({ path: [member = ''] }) => isSelected(member));
  };
}
