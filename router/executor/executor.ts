/** The contract of plan execution. */
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { GraphError, ResponseNotes } from '../../schema/entry-point.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Conditions } from '../operations/conditions.ts';
import type { Plan } from '../planner/plan.ts';

/** An operation with its plan for one set of conditions. */
export interface PlannedOperation {
  readonly plan: Plan;
  /** The client's document: the response has its shape, also where the plan omits fields. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The values of the condition variables that the plan was made for. */
  readonly conditions: Conditions;
  /** The client's schema, for introspection. */
  readonly schema: GraphQLSchema;
}

/** One execution of a planned operation. */
export interface ExecutionRequest extends PlannedOperation {
  /** Coerced values; an omitted variable is absent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly viewer: Viewer;
  readonly requestId: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal | undefined;
  /** Deadline of all fetches together, on the clock of `performance.now()`; default: the limit of each area. */
  readonly deadlineMs?: number | undefined;
  /** Whether an area runs the operation during another operation. */
  readonly isNested?: boolean | undefined;
  /** Root fields that the router has answered itself, by response key. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

export interface Execution {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly GraphError[];
  readonly notes: ResponseNotes;
}

export interface Executor {
  /** Compiles the operation. Throws an Error for a plan that cannot be executed. */
  compile(operation: PlannedOperation): void;
  /** Never rejects for errors of areas: `data` holds what was fetched, `errors` what failed. */
  execute(request: ExecutionRequest): Promise<Execution>;
}
