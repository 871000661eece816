/** The seam of plan execution: what an executor is given and what it answers. */
import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { GraphError, ResponseNotes } from '../../schema/entry-point.ts';
import type { Viewer } from '../../schema/viewer.ts';

/** An operation with its plan. */
export interface PlannedOperation {
  readonly plan: QueryPlan;
  /** What the client asked: the answer has its shape, also where the plan leaves fields out. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The schema the client sees, for introspection. */
  readonly schema: GraphQLSchema;
}

/** One execution of a planned operation. */
export interface ExecutionRequest extends PlannedOperation {
  /** Coerced values; a variable that was not given is absent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly viewer: Viewer;
  readonly requestId: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal | undefined;
}

export interface Execution {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly GraphError[];
  readonly notes: ResponseNotes;
}

export interface Executor {
  /** Makes ready for executions in which the variables have their defaults. Throws an Error for a plan that cannot be executed. */
  compile(operation: PlannedOperation): void;
  /** Never rejects for a fault of an area: what could be had is in `data`, what could not is in `errors`. */
  execute(request: ExecutionRequest): Promise<Execution>;
}
