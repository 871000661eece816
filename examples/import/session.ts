/** One run of the importer: sends collections and plans over one client, records the report, shows progress. */
import { sendRows } from './batch.ts';
import { openClient, type Client, type ClientOptions } from './client.ts';
import { openIds, readyStep, type Plan } from './plan.ts';
import { isRecord } from './problem.ts';
import { openProgress, type Progress } from './progress.ts';
import type { Report } from './report.ts';
import type { Item, Result, Row, Source } from './row.ts';

export interface SessionOptions extends Omit<ClientOptions, 'onWait' | 'onCall'> {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly report: Report;
  /** Reason of corrections: official results that differ are corrected. Null: they are rejected. */
  readonly correct?: string | null;
}

export interface Session {
  /** Sends one collection; `kind` is its name in the report. */
  readonly send: (kind: string, collection: string, source: Source) => Promise<Result[]>;
  /** Sends the steps of a plan in order, and finishes its seasons unless the API rejected a row. */
  readonly carryOut: (plan: Plan) => Promise<void>;
}

const firstIdOf = ({ item }: Row): string => `${item.externalIds[0].scheme}:${item.externalIds[0].value}`;

/** The IDs of your resources with this external ID. */
async function findIds(client: Client, collection: string, row: Row): Promise<string[]> {
  const answer = await client.get(`${collection}?mine=true&externalId=${encodeURIComponent(firstIdOf(row))}&limit=1`);
  const { data } = isRecord(answer) ? answer : {};
  return (Array.isArray(data) ? data : []).flatMap((each: unknown) =>
    isRecord(each) && typeof each.id === 'string' ? [each.id] : [],
  );
}

/** Adds the initial members to rows that do not exist yet. */
async function withInitialMembers(client: Client, collection: string, rows: readonly Row[]): Promise<Row[]> {
  const complete: Row[] = [];
  for (const row of rows) {
    const { initial } = row;
    const isNew = initial !== undefined && (await findIds(client, collection, row)).length === 0;
    const item: Item = isNew ? { ...row.item, ...initial, externalIds: row.item.externalIds } : row.item;
    complete.push({ ...row, item });
  }
  return complete;
}

/** Corrects the official result of a match. Returns false where the row has no result or the match is not found. */
async function correctResult(client: Client, row: Row, reason: string): Promise<boolean> {
  const { result } = row.item;
  const [id] = await findIds(client, '/competitions/matches', row);
  if (!isRecord(result) || id === undefined) return false;
  const { status: _, ...facts } = result;
  await client.post(`/competitions/matches/${id}/result/correct`, { ...facts, reason });
  return true;
}

/**
 * Throws Error when the key lacks a scope, before anything is written.
 * @throws {RequestFailure} when the key is invalid.
 */
export async function requireScopes(options: ClientOptions, scopes: readonly string[]): Promise<void> {
  const me = await openClient(options).get('/me');
  const granted = isRecord(me) && isRecord(me.key) && Array.isArray(me.key.scopes) ? (me.key.scopes as unknown[]) : [];
  const missing = scopes.filter((scope) => !granted.includes(scope));
  if (missing.length > 0)
    throw new Error(
      `The key lacks the scope ${missing.join(' and ')}. Nothing was written. Use a key with ${scopes.join(' and ')}.`,
    );
}

/** A session that sends nothing: every row that can be read is valid. */
export function openCheck(report: Report): Session {
  const send: Session['send'] = (kind, _, { rows, rejected }) => {
    report.reject(kind, rejected);
    const results = rows.map((row): Result => ({ row, outcome: 'VALID', id: firstIdOf(row), reasons: [] }));
    report.add(kind, results);
    return Promise.resolve(results);
  };
  return { send, carryOut: (plan) => carryOutWith(send, plan).then(() => undefined) };
}

/** Sends the steps of a plan in order. Returns the IDs, and whether every row was written. */
async function carryOutWith(send: Session['send'], { steps }: Plan) {
  const ids = openIds();
  let isWhole = true;
  for (const step of steps) {
    const { collection, source, isTorn } = readyStep(step, ids);
    if (source.rows.length === 0 && source.rejected.length === 0) continue;
    const results = await send(step.kind, collection, source);
    ids.add(step.kind, results);
    isWhole &&= !isTorn && results.every(({ outcome }) => outcome !== 'FAILED');
  }
  return { ids, isWhole };
}

/** Opens a session. Requests that cannot succeed throw RequestFailure; the report then contains the rows done so far. */
export function openSession({ batchSize, concurrency, report, correct = null, ...clientOptions }: SessionOptions): Session {
  let progress: Progress | null = null;
  const onWait = (reason: string, waitMs: number): void => {
    report.retry(reason);
    progress?.note(`waiting ${Math.ceil(waitMs / 1000)} s: ${reason}`);
  };
  const client = openClient({ ...clientOptions, onWait, onCall: report.call });

  const send: Session['send'] = async (kind, collection, { rows, rejected }) => {
    report.reject(kind, rejected);
    const bar = openProgress(kind, rows.length);
    progress = bar;
    const isCorrectable = ({ outcome, code }: Result): boolean =>
      correct !== null && outcome === 'FAILED' && code === 'invalid_transition';
    const onResults = (results: readonly Result[]): void => {
      report.add(
        kind,
        results.filter((result) => !isCorrectable(result)),
      );
      bar.advance(results.length);
    };
    try {
      const complete = await withInitialMembers(client, collection, rows);
      const results = await sendRows(client, collection, complete, { batchSize, concurrency, onResults });
      const again: Row[] = [];
      for (const result of results.filter(isCorrectable)) {
        if (await correctResult(client, result.row, correct ?? '')) again.push(result.row);
        else report.add(kind, [result]);
      }
      // Their other members may differ, too. Without differences the row is now unchanged, so its correction counts as an update.
      const corrected = (await sendRows(client, collection, again, { batchSize, concurrency, onResults: () => undefined })).map(
        (result): Result => (result.outcome === 'UNCHANGED' ? { ...result, outcome: 'UPDATED' } : result),
      );
      report.add(kind, corrected);
      return [...results.filter((result) => !isCorrectable(result)), ...corrected];
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

  const carryOut: Session['carryOut'] = async (plan) => {
    const { finished } = plan;
    const { ids, isWhole } = await carryOutWith(send, plan);
    if (isWhole && finished.length > 0) await finish(new Set(finished.map((season) => ids.of('seasons', season))));
  };
  return { send, carryOut };
}
