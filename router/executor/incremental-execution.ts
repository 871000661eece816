/** Executions in parts: each part of a response is delivered when the requests that return what it selects have ended. */
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { publicError, type ExecutionError } from './execution-error.ts';
import type { Execution, ExecutionRequest } from './executor.ts';
import { fetchedPlaces } from './fetched-places.ts';
import type { Fetch, Run } from './fetch.ts';
import { announced, createDelivery, type Started } from './part-delivery.ts';
import { compilePartProjection, compileProjection, type Project, type SelectedOperation } from './projection.ts';
import { splitOperation } from './response-parts.ts';
import { scheduleOf, type ScheduledRequest } from './schedule.ts';

export interface IncrementalOptions {
  readonly supergraph: GraphQLSchema;
  readonly log: Logger;
  readonly compileRequest: (request: ScheduledRequest) => Fetch;
  /** The projection of an operation without streamed lists. */
  readonly compileWhole: (selected: SelectedOperation) => (run: Run) => ReturnType<Project>;
}

/** The same data with separate errors. */
const withErrors = (run: Run, errors: ExecutionError[]): Run => ({
  request: run.request,
  notes: run.notes,
  absent: run.absent,
  errors,
  get data() {
    return run.data;
  },
  // later parts of the root refer to the object
  set data(data) {
    Object.assign(run.data, data);
  },
  get hasSharedObjects() {
    return run.hasSharedObjects;
  },
  set hasSharedObjects(value) {
    run.hasSharedObjects = value;
  },
});

function compileStreamed(selected: SelectedOperation): (run: Run) => ReturnType<Project> {
  const project = compileProjection(selected);
  return (run) => project({ ...run, variables: run.request.variables });
}

/** Compiles an operation for these active directives; `first` is an execution with them. */
export function compileIncremental(
  { supergraph, log, compileRequest, compileWhole }: IncrementalOptions,
  first: ExecutionRequest,
): (request: ExecutionRequest) => Promise<Execution> {
  const { schema, document, operation, conditions } = first;
  const { all, streams } = splitOperation(first);
  const [root] = all;
  if (root === undefined) throw new Error('an operation has no parts');
  const requests = scheduleOf(first.plan, supergraph, (fetch) => {
    const fetched = fetchedPlaces(supergraph, fetch);
    return all.filter(({ places }) => !places.isDisjointFrom(fetched)).map(({ index }) => index);
  }).map((request) => ({ request, fetch: compileRequest(request) }));
  const isSelected = (place: string): boolean => all.some(({ places }) => places.has(place));
  const selected = { schema, document, operation: { ...operation, selectionSet: root.selectionSet }, conditions, streams };
  const projectFirst = streams.size === 0 ? compileWhole(selected) : compileStreamed(selected);
  const projections = new Map(all.slice(1).map((part) => [part, compilePartProjection(selected, part)]));

  function start(run: Run): readonly Started[] {
    const started: Started[] = [];
    for (const { request, fetch } of requests) {
      const errors: ExecutionError[] = [];
      const awaited = request.after.flatMap((index) => started[index]?.ended ?? []);
      const own = withErrors(run, errors);
      started.push({ request, errors, ended: Promise.all(awaited).then(() => fetch(own)) });
    }
    return started;
  }

  return async (executed) => {
    // rejects invalid values before anything is fetched
    for (const { initialCount } of streams.values()) initialCount(executed.variables);
    const run: Run = { request: executed, data: {}, errors: [], notes: {}, absent: new Set(), hasSharedObjects: false };
    const started = start(run);
    const delivery = createDelivery({
      run,
      started,
      projections,
      isSelected,
      publicErrorOf: (error) => publicError(error, log, executed.requestId),
    });
    await delivery.endOf(root);
    const { data, errors } = projectFirst(run);
    const placed = delivery.place({ fetched: run.data, completed: data, path: [] }, root.children);
    return {
      data,
      errors: delivery.errorsOf(root, { path: [], completed: data, from: null }, errors),
      notes: run.notes,
      later: {
        announced: placed.map(announced),
        batches: delivery.batchesOf(placed),
        fetched: Promise.all(started.map((each) => each.ended)).then(() => undefined),
      },
    };
  };
}
