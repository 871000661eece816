/** One run of the importer: sends collections and plans over one client, records the report, shows progress. */
import { sendRows } from './batch.ts';
import { openClient, type ClientOptions } from './client.ts';
import { openIds, readyStep, type Plan } from './plan.ts';
import { isRecord } from './problem.ts';
import { openProgress, type Progress } from './progress.ts';
import type { Report } from './report.ts';
import type { Result, Source } from './row.ts';

export interface SessionOptions extends Omit<ClientOptions, 'onWait' | 'onCall'> {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly report: Report;
}

export interface Session {
  /** Sends one collection; `kind` is its name in the report. */
  readonly send: (kind: string, collection: string, source: Source) => Promise<Result[]>;
  /** Sends the steps of a plan in order, and finishes its seasons unless the API rejected a row. */
  readonly carryOut: (plan: Plan) => Promise<void>;
}

/** Opens a session. Requests that cannot succeed throw RequestFailure; the report then contains the rows done so far. */
export function openSession({ batchSize, concurrency, report, ...clientOptions }: SessionOptions): Session {
  let progress: Progress | null = null;
  const onWait = (reason: string, waitMs: number): void => progress?.note(`waiting ${Math.ceil(waitMs / 1000)} s: ${reason}`);
  const client = openClient({ ...clientOptions, onWait, onCall: report.call });

  const send: Session['send'] = async (kind, collection, { rows, rejected }) => {
    report.reject(kind, rejected);
    const bar = openProgress(kind, rows.length);
    progress = bar;
    const onResults = (results: readonly Result[]): void => {
      report.add(kind, results);
      bar.advance(results.length);
    };
    try {
      return await sendRows(client, collection, rows, { batchSize, concurrency, onResults });
    } finally {
      bar.close();
    }
  };

  /** Batch results have no status, so it is read first: a season that is already finished is not changed. */
  const finish = async (ids: ReadonlySet<string>): Promise<void> => {
    let cursor: string | null = null;
    do {
      const page = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await client.get(`/competitions/seasons?mine=true&status=IN_PROGRESS&limit=100${page}`);
      const { data, page: next } = isRecord(answer) ? answer : {};
      const open = (Array.isArray(data) ? data : []).flatMap((season: unknown) =>
        isRecord(season) && typeof season.id === 'string' && ids.has(season.id) ? [season.id] : [],
      );
      for (const id of open) await client.post(`/competitions/seasons/${id}/finish`);
      cursor = isRecord(next) && typeof next.nextCursor === 'string' ? next.nextCursor : null;
    } while (cursor !== null);
  };

  const carryOut: Session['carryOut'] = async ({ steps, finished }) => {
    const ids = openIds();
    let isWhole = true;
    for (const step of steps) {
      const { collection, source, isTorn } = readyStep(step, ids);
      if (source.rows.length === 0 && source.rejected.length === 0) continue;
      const results = await send(step.kind, collection, source);
      ids.add(step.kind, results);
      isWhole &&= !isTorn && results.every(({ outcome }) => outcome !== 'FAILED');
    }
    if (isWhole && finished.length > 0) await finish(new Set(finished.map((season) => ids.of('seasons', season))));
  };
  return { send, carryOut };
}
