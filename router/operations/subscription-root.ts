/** The root selection of a subscription must not depend on variables (GraphQL, section 5.2.4 "Single Root Field"). */
import { Kind } from 'graphql';
import type { FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { Problem } from '../../schema/errors.ts';
import { isCondition } from './conditions.ts';

/**
 * Throws operation_unknown for a subscription with @skip or @include on its root field. Needs no valid document: the validation of graphql-js
 * throws for conditions with variables.
 */
export function rejectRootConditions(
  { selectionSet }: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): void {
  const visited = new Set<SelectionSetNode>();
  const queue = [selectionSet];
  for (let set = queue.pop(); set !== undefined; set = queue.pop()) {
    if (visited.has(set)) continue;
    visited.add(set);
    for (const selection of set.selections) {
      if (selection.directives?.some(isCondition) === true)
        throw new Problem('operation_unknown', 'A subscription must not use @skip or @include on its root field.');
      if (selection.kind === Kind.FIELD) continue;
      const body = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (body !== undefined) queue.push(body.selectionSet);
    }
  }
}
