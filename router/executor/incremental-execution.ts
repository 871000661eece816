/** Executions in parts: each part of a response is delivered when the requests that return what it selects have ended. */
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { GraphError } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import { limits } from '../operations/limits.ts';
import { publicError, type ExecutionError } from './execution-error.ts';
import type { AnnouncedPart, DeliveredPart, Execution, ExecutionRequest, PartBatch } from './executor.ts';
import { fetchedPlaces } from './fetched-places.ts';
import type { Fetch, Run } from './fetch.ts';
import { concerns, createDeniedErrors, indexErrors, type DeliveredAt, type ErrorsAround } from './part-errors.ts';
import { placesWithin, type PlacedPart } from './part-positions.ts';
import { compilePartProjection, compileProjection, type Project, type SelectedOperation } from './projection.ts';
import { splitOperation, type ResponsePart } from './response-parts.ts';
import { scheduleOf, type ScheduledRequest } from './schedule.ts';

export interface IncrementalOptions {
  readonly supergraph: GraphQLSchema;
  readonly log: Logger;
  readonly compileRequest: (request: ScheduledRequest) => Fetch;
  /** The projection of an operation without streamed lists. */
  readonly compileWhole: (selected: SelectedOperation) => (run: Run) => ReturnType<Project>;
}

/** Maximum parts in one batch: a batch is one text in memory. */
const batchMax = 100;

/** A request of one execution, with its own errors. */
interface Started {
  readonly request: ScheduledRequest;
  readonly errors: ExecutionError[];
  readonly ended: Promise<void>;
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
    const { variables, requestId, denied = [] } = executed;
    // rejects invalid values before anything is fetched
    for (const { initialCount } of streams.values()) initialCount(variables);
    const run: Run = { request: executed, data: {}, errors: [], notes: {}, absent: new Set(), hasSharedObjects: false };
    const started = start(run);
    const endOf = (part: ResponsePart): Promise<unknown> =>
      Promise.all(started.filter(({ request }) => request.awaitedBy.has(part.index)).map(({ ended }) => ended));
    const ends = new Map<ResponsePart, Promise<unknown>>();
    const ended = new Set<ResponsePart>();
    const deniedOf = createDeniedErrors(denied);
    const failures = new Map<ResponsePart, ErrorsAround>();
    let ids = 0;
    function nextId(): string {
      if (ids < limits.points) return String(ids++);
      const detail = `The response has more than ${limits.points} parts. Request smaller pages, or use @defer and @stream less.`;
      throw new Problem('query_too_complex', detail);
    }

    /** All requests of the part have ended. The paths of a part have one length. */
    function failuresOf(part: ResponsePart, length: number): ErrorsAround {
      const known = failures.get(part);
      if (known !== undefined) return known;
      const awaited = started.filter(({ request }) => request.awaitedBy.has(part.index));
      const made = indexErrors(
        awaited.flatMap(({ errors }) => errors),
        length,
      );
      failures.set(part, made);
      return made;
    }

    /** The errors of areas explain what is missing; without any, those of the projection do. */
    function errorsOf(part: ResponsePart, at: DeliveredAt, projected: readonly ExecutionError[]): readonly GraphError[] {
      const failed = failuresOf(part, at.path.length)(at.path).filter((error) => concerns(part, at, error, isSelected));
      const reported = failed.length > 0 ? failed : projected;
      return [...reported.map((error) => publicError(error, log, requestId)), ...deniedOf(part)];
    }

    function place(delivered: Parameters<typeof placesWithin>[1], children: readonly ResponsePart[]): PlacedPart[] {
      const placed = placesWithin(children, delivered, nextId);
      for (const { part } of placed)
        if (!ends.has(part))
          ends.set(
            part,
            endOf(part).then(() => ended.add(part)),
          );
      return placed;
    }

    function deliver({ id, part, values, path, from }: PlacedPart): { delivered: DeliveredPart; placed: PlacedPart[] } {
      const { absent, hasSharedObjects } = run;
      const project = projections.get(part);
      if (project === undefined) throw new Error('a part has no projection');
      const { completed, errors } = project({ variables, absent, hasSharedObjects }, { values, path, from });
      const data = completed?.[0];
      const result: DeliveredPart['result'] =
        from === null ? { kind: 'DATA', data: isRecord(data) ? data : null } : { kind: 'ITEMS', items: completed, from };
      const placed = (completed ?? []).flatMap((value, index) => {
        const at = from === null ? path : [...path, from + index];
        return place({ fetched: values[index], completed: value, path: at }, part.children);
      });
      const own = { path, completed: result.kind === 'DATA' ? result.data : completed, from };
      return { delivered: { id, path, label: part.label, result, errors: errorsOf(part, own, errors) }, placed };
    }

    async function* batchesOf(placed: readonly PlacedPart[]): AsyncGenerator<PartBatch> {
      let waiting = placed;
      while (waiting.length > 0) {
        await Promise.race([...new Set(waiting.map(({ part }) => ends.get(part)))]);
        const ready = new Set(waiting.filter(({ part }) => ended.has(part)).slice(0, batchMax));
        const made = [...ready].map(deliver);
        const within = made.flatMap((each) => each.placed);
        waiting = [...waiting.filter((each) => !ready.has(each)), ...within];
        yield {
          delivered: made.map(({ delivered }) => delivered),
          announced: within.map(announced),
          hasNext: waiting.length > 0,
        };
      }
    }

    await endOf(root);
    const { data, errors } = projectFirst(run);
    const placed = place({ fetched: run.data, completed: data, path: [] }, root.children);
    return {
      data,
      errors: errorsOf(root, { path: [], completed: data, from: null }, errors),
      notes: run.notes,
      later: {
        announced: placed.map(announced),
        batches: batchesOf(placed),
        fetched: Promise.all(started.map((each) => each.ended)).then(() => undefined),
      },
    };
  };
}

const announced = ({ id, path, part: { label } }: PlacedPart): AnnouncedPart => ({ id, path, label });
