/** The contract of plan execution. */
import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { GraphError, ResponseNotes } from '../../schema/entry-point.ts';
import type { Viewer } from '../../schema/viewer.ts';

/** An operation with its plan. */
export interface PlannedOperation {
  readonly plan: QueryPlan;
  /** The client's document: the response has its shape, also where the plan omits fields. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
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
}

export interface Execution {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly GraphError[];
  readonly notes: ResponseNotes;
}

export interface Executor {
  /** Compiles the operation for the defaults of its variables. Throws an Error for a plan that cannot be executed. */
  compile(operation: PlannedOperation): void;
  /** Never rejects for errors of areas: `data` holds what was fetched, `errors` what failed. */
  execute(request: ExecutionRequest): Promise<Execution>;
}
