/** The contract of plan execution. */
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { GraphError, ResponseNotes, ResponseSources } from '../../schema/entry-point.ts';
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
  /**
   * Delivers the response in parts, with these active @defer and @stream directives (router/operations/incremental-directives.ts); default:
   * one response.
   */
  readonly activeDirectives?: string | undefined;
  /** The errors of the fields that the viewer may not read, in the parts that select them; default: none. */
  readonly denied?: readonly GraphError[] | undefined;
}

export interface Execution {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly GraphError[];
  readonly notes: ResponseNotes;
  /** The areas that were asked, of an execution in one part. */
  readonly areas?: readonly string[];
  /** What it was read from, if the response may be kept. */
  readonly sources?: ResponseSources | undefined;
  /** The parts after `data`, of an execution in parts. */
  readonly later?: LaterParts | undefined;
}

/** A part that is announced before it is delivered. */
export interface AnnouncedPart {
  /** Unique in the response. */
  readonly id: string;
  /** The response path of the object with a deferred fragment, or of the streamed list. */
  readonly path: readonly (string | number)[];
  readonly label: string | null;
}

export interface DeliveredPart extends AnnouncedPart {
  /** The data of the fragment, or the later items. Null when a missing non-null value reaches the root of the part. */
  readonly result:
    | { readonly kind: 'DATA'; readonly data: Record<string, unknown> | null }
    | { readonly kind: 'ITEMS'; readonly items: readonly unknown[] | null; readonly from: number };
  readonly errors: readonly GraphError[];
}

/** Parts that are delivered together. */
export interface PartBatch {
  readonly delivered: readonly DeliveredPart[];
  /** The parts within those, which follow. */
  readonly announced: readonly AnnouncedPart[];
  /** Whether another batch follows. */
  readonly hasNext: boolean;
}

export interface LaterParts {
  /** Empty when there are no later parts. */
  readonly announced: readonly AnnouncedPart[];
  /** Each batch when all that it selects has been fetched. A batch is made when it is requested, so that a slow reader has one at a time. */
  readonly batches: AsyncIterable<PartBatch>;
  /** Resolves when all areas have responded, also when nothing reads the batches. */
  readonly fetched: Promise<void>;
}

export interface Executor {
  /** Compiles the operation. Throws an Error for a plan that cannot be executed. */
  compile(operation: PlannedOperation): void;
  /** Never rejects for errors of areas: `data` holds what was fetched, `errors` what failed. */
  execute(request: ExecutionRequest): Promise<Execution>;
}
