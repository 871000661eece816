/** The delivery of the parts of one execution: places them, waits for their requests, and projects them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GraphError } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import { limits } from '../operations/limits.ts';
import type { ExecutionError } from './execution-error.ts';
import type { AnnouncedPart, DeliveredPart, PartBatch } from './executor.ts';
import type { Run } from './fetch.ts';
import { concerns, createDeniedErrors, indexErrors, type DeliveredAt, type ErrorsAround } from './part-errors.ts';
import { placesWithin, type Delivered, type PlacedPart } from './part-positions.ts';
import type { ProjectPart } from './projection.ts';
import type { ResponsePart } from './response-parts.ts';
import type { ScheduledRequest } from './schedule.ts';

/** Maximum parts in one batch: a batch is one text in memory. */
const batchMax = 100;

/** A request of one execution, with its own errors. */
export interface Started {
  readonly request: ScheduledRequest;
  readonly errors: ExecutionError[];
  readonly ended: Promise<void>;
}

export interface DeliveryOptions {
  readonly run: Run;
  readonly started: readonly Started[];
  readonly projections: ReadonlyMap<ResponsePart, ProjectPart>;
  /** Whether any part selects a place. */
  readonly isSelected: (place: string) => boolean;
  readonly publicErrorOf: (error: ExecutionError) => GraphError;
}

export interface Delivery {
  /** Resolves when all that the part selects has been fetched. */
  endOf(part: ResponsePart): Promise<unknown>;
  /** The errors of a delivered part. Those of areas explain what is missing; without any, those of the projection do. */
  errorsOf(part: ResponsePart, at: DeliveredAt, projected: readonly ExecutionError[]): readonly GraphError[];
  /** The places of the parts within a delivered value. Throws query_too_complex above the limit of parts. */
  place(delivered: Delivered, children: readonly ResponsePart[]): readonly PlacedPart[];
  batchesOf(placed: readonly PlacedPart[]): AsyncIterable<PartBatch>;
}

export const announced = ({ id, path, part: { label } }: PlacedPart): AnnouncedPart => ({ id, path, label });

export function createDelivery({ run, started, projections, isSelected, publicErrorOf }: DeliveryOptions): Delivery {
  const { variables, denied = [] } = run.request;
  const awaitedBy = ({ index }: ResponsePart): readonly Started[] =>
    started.filter(({ request }) => request.awaitedBy.has(index));
  const endOf = (part: ResponsePart): Promise<unknown> => Promise.all(awaitedBy(part).map(({ ended }) => ended));
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
    const errors = awaitedBy(part).flatMap((each) => each.errors);
    const made = indexErrors(errors, length);
    failures.set(part, made);
    return made;
  }

  function errorsOf(part: ResponsePart, at: DeliveredAt, projected: readonly ExecutionError[]): readonly GraphError[] {
    const failed = failuresOf(part, at.path.length)(at.path).filter((error) => concerns(part, at, error, isSelected));
    const reported = failed.length > 0 ? failed : projected;
    return [...reported.map(publicErrorOf), ...deniedOf(part)];
  }

  function place(delivered: Delivered, children: readonly ResponsePart[]): PlacedPart[] {
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
      // a long list has many batches: other requests run in between
      if (ready.size === batchMax) await nextTurn();
    }
  }

  return { endOf, errorsOf, place, batchesOf };
}
