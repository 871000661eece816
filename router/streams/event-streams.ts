/** Opens streams of events: admission, the limit of the plan, the earlier events that the client has missed, then new ones. */
import type { Logger } from 'pino';
import type { EventStreams, StreamRequest, StreamResponse } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { Admission, Admitted } from '../admission/admission.ts';
import type { Rejection } from '../admission/rejection.ts';
import type { RouterGraph } from '../graph.ts';
import { errorOf } from '../rest/entry-point.ts';
import { createAudiences } from './audiences.ts';
import type { EventFilter } from './event-filter.ts';
import { createEventFrames, type FramePage } from './event-frames.ts';
import { perHub, type EventHubs } from './event-hubs.ts';
import { EventStream } from './event-stream.ts';
import { bufferedBytesMax as bufferedBytesDefault, createOpenStreams } from './open-streams.ts';
import type { StreamLimits } from './stream-limits.ts';

export interface EventStreamsOptions {
  readonly graph: Pick<RouterGraph, 'internal' | 'requirement'>;
  readonly admission: Pick<Admission, 'admit'>;
  readonly hubs: Pick<EventHubs, 'of'>;
  readonly limits: StreamLimits;
  readonly log: Logger;
  /** Interval of comments that keep connections open; default: 15 s. */
  readonly heartbeatMs?: number | undefined;
  /** Bytes that wait for a slow client at most; default: 256 kB. */
  readonly bufferedBytesMax?: number | undefined;
}

/** A stream with the first page of what it has to write. */
interface Opened {
  readonly stream: EventStream;
  readonly page: FramePage;
  /** The position at which the stream begins; null: the beginning of the feed. */
  readonly cursor: string | null;
}

/** Earlier events cost as much as those of GET /events: 20 are one unit. The first unit is charged at admission. */
const eventsPerUnit = 20;
const heartbeat = Buffer.from(': heartbeat\n\n');
const retryMs = 3_000;

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { graph, admission, hubs, limits, log, bufferedBytesMax = bufferedBytesDefault } = options;
  const frames = createEventFrames(graph);
  const audiencesOf = perHub((hub) => createAudiences(hub, frames, log));
  const open = createOpenStreams<EventStream>((stream) => stream.beat(heartbeat), options.heartbeatMs);

  /** Throws the Problem of a stream that cannot be opened. New events wait in the stream from now on. */
  async function begin(admitted: Admitted, request: StreamRequest): Promise<Opened> {
    const { viewer, holder } = admitted;
    const { caller, signal } = request;
    // Cast: the API has checked the filter against the type EventFilter of the SDL.
    const filter = request.filter as EventFilter;
    const hub = hubs.of(viewer);
    const cleanups: (() => void)[] = [];
    const stream = new EventStream({ viewer, filter, bufferedBytesMax, onFinished: () => cleanups.forEach((each) => each()) });
    cleanups.push(limits.acquire(holder, { caller, end: (reason) => stream.end(reason) }));
    try {
      cleanups.push(audiencesOf(hub).join(stream));
      open.add(stream);
      cleanups.push(() => open.remove(stream));
      const now = await hub.position();
      const isEarlier = request.cursor !== null || Boolean(filter.since);
      const cursor = isEarlier ? request.cursor : now.cursor;
      if (!isEarlier) stream.skipTo(now.sequence);
      const page = await frames.page(viewer, cursor, filter, caller.requestId, signal);
      return { stream, page, cursor };
    } catch (error) {
      stream.end('LOST');
      throw error;
    }
  }

  /** Charges earlier events before they are written: `count` since the begin of the stream, `before` of them are charged. */
  async function charge(admitted: Admitted, before: number, count: number): Promise<Rejection | null> {
    const units = (events: number): number => Math.max(1, Math.ceil(events / eventsPerUnit));
    const more = units(count) - units(before);
    return more === 0 ? null : await admitted.charge(more);
  }

  /** Writes earlier events page by page, as fast as the client reads them, then new ones. */
  async function run({ stream, page: first }: Opened, admitted: Admitted, { caller, signal }: StreamRequest): Promise<void> {
    let count = first.frames.length;
    for (let page = first; ;) {
      stream.writeEarlier(page.frames);
      if (!page.hasMore && stream.goLive()) return;
      await stream.drained();
      if (stream.isFinished) return;
      page = await frames.page(stream.viewer, page.endCursor, stream.filter, caller.requestId, signal);
      if ((await charge(admitted, count, count + page.frames.length)) !== null) return stream.end('QUOTA');
      count += page.frames.length;
    }
  }

  function start(opened: Opened, admitted: Admitted, request: StreamRequest, settle: () => void): StreamResponse['start'] {
    const { stream, cursor } = opened;
    return (output) => {
      stream.start(output, `retry: ${retryMs}\n${cursor === null ? '' : `id: ${cursor}\n`}\n`);
      void run(opened, admitted, request)
        .catch((error: unknown) => {
          if (!stream.isFinished) log.warn({ err: error, requestId: request.caller.requestId }, 'event stream failed');
          stream.end('LOST');
        })
        .finally(settle);
    };
  }

  function problemOf(error: unknown, requestId: string): Problem {
    if (error instanceof Problem) return error;
    log.error({ err: error, requestId }, 'event stream could not be opened');
    return new Problem('internal', 'Internal error.');
  }

  return {
    async open(request) {
      const { caller, operation } = request;
      const outcome = await admission.admit(caller, { requires: graph.requirement(operation) });
      const settle: StreamResponse['settle'] = (sent) => outcome.settle({ ...sent, area: 'accounts', operation: 'streamEvents' });
      const rejected = (problem: Problem, headers = {}): StreamResponse => ({
        errors: [errorOf(problem)],
        headers: { ...outcome.headers, ...headers },
        settle,
        start: null,
      });
      if (outcome.kind === 'REJECTED') return rejected(outcome.problem);
      try {
        const opened = await begin(outcome, request);
        const rejection = await charge(outcome, 0, opened.page.frames.length);
        if (rejection !== null) {
          opened.stream.end('QUOTA');
          return rejected(rejection.problem, rejection.headers);
        }
        const onRun = start(opened, outcome, request, () => settle({ status: 200 }));
        return { errors: [], headers: outcome.headers, settle: () => undefined, start: onRun };
      } catch (error) {
        const problem = problemOf(error, caller.requestId);
        // the time at which another stream ends is unknown
        return rejected(problem, problem.code === 'stream_limit_exceeded' ? { 'retry-after': '10' } : {});
      }
    },
    close: () => limits.close(),
  };
}
