/** The costs of operations in points and units, before and after they run. */
import { OperationTypeNode } from 'graphql';
import type { RouterGraph } from '../graph.ts';
import { unitsOf } from './cost-estimate.ts';
import { pointsOf } from './operation-values.ts';
import type { PreparedOperations } from './prepared-operations.ts';

export function createOperationCosts(
  operations: Pick<PreparedOperations, 'get'>,
): Pick<RouterGraph, 'cost' | 'costOf' | 'responseCost'> {
  return {
    cost(operation, variables) {
      const prepared = operations.get(operation);
      return unitsOf('id' in operation ? prepared.estimate(variables) : pointsOf(prepared, prepared.coerce(variables)));
    },
    costOf(operation, variables, data) {
      const prepared = operations.get(operation);
      const values = prepared.coerce(variables);
      return { estimated: prepared.estimate(values), actual: prepared.actualCost(data, values) };
    },
    responseCost(id, data) {
      const { operation, actualCost } = operations.get({ id });
      return operation.operation === OperationTypeNode.QUERY ? unitsOf(actualCost(data, {})) : null;
    },
  };
}
