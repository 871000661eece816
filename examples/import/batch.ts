/** Sends rows in batches (`POST {collection}/batch`) and collects the result of each row. */
import { RequestFailure, type Client } from './client.ts';
import { errorText, isRecord, parseErrors, type ApiProblem } from './problem.ts';
import type { Outcome, Result, Row } from './row.ts';

export interface BatchOptions {
  /** Rows per request, at most 500. */
  readonly batchSize: number;
  /** Requests in flight. */
  readonly concurrency: number;
  /** Called after every batch, so that finished rows are reported even if a later batch aborts the import. */
  readonly onResults: (results: readonly Result[]) => void;
}

/** The outcomes that the API returns. */
const outcomes: readonly string[] = ['CREATED', 'UPDATED', 'UNCHANGED', 'FAILED'] satisfies Outcome[];
const isOutcome = (value: unknown): value is Outcome => typeof value === 'string' && outcomes.includes(value);

function reasonsOf(error: unknown): string[] {
  if (!isRecord(error)) return ['the server gave no reason'];
  const violations = parseErrors(error.errors).map(errorText);
  return violations.length > 0 ? violations : [`${String(error.code)}: ${String(error.detail)}`];
}

/** Matches the response's results to the rows by index. Throws when a row has no result. */
function readAnswer(answer: unknown, rows: readonly Row[]): Result[] {
  const entries = isRecord(answer) && Array.isArray(answer.data) ? answer.data.filter(isRecord) : [];
  const byIndex = new Map(entries.map((entry) => [entry.index, entry]));
  return rows.map((row, index) => {
    const entry = byIndex.get(index);
    if (entry === undefined || !isOutcome(entry.outcome))
      throw new RequestFailure(`The answer of the batch says nothing about ${row.place}`, null);
    const id = typeof entry.id === 'string' ? entry.id : null;
    const code = isRecord(entry.error) && typeof entry.error.code === 'string' ? entry.error.code : null;
    return { row, outcome: entry.outcome, id, reasons: entry.outcome === 'FAILED' ? reasonsOf(entry.error) : [], code };
  });
}

/** Reasons by index of the items that a rejected batch names (`/items/3/name`). */
function blamedItems(problem: ApiProblem): Map<number, string[]> {
  const blamed = new Map<number, string[]>();
  for (const violation of problem.errors) {
    const match = /^\/items\/(\d+)(\/.*)?$/.exec(violation.pointer ?? '');
    if (match === null) continue;
    const index = Number(match[1]);
    blamed.set(index, [...(blamed.get(index) ?? []), errorText({ ...violation, pointer: match[2] ?? null })]);
  }
  return blamed;
}

async function sendBatch(client: Client, collection: string, rows: readonly Row[]): Promise<Result[]> {
  if (rows.length === 0) return [];
  try {
    return readAnswer(await client.post(`${collection}/batch`, { items: rows.map(({ item }) => item) }), rows);
  } catch (failure) {
    const problem = failure instanceof RequestFailure ? failure.problem : null;
    if (problem?.status === 413 && rows.length > 1) {
      const middle = Math.ceil(rows.length / 2);
      return [
        ...(await sendBatch(client, collection, rows.slice(0, middle))),
        ...(await sendBatch(client, collection, rows.slice(middle))),
      ];
    }
    // The API rejects a whole batch for one malformed item. Those items are removed and the others are sent again.
    const blamed = problem?.status === 422 ? blamedItems(problem) : new Map<number, string[]>();
    const good = rows.filter((_, index) => !blamed.has(index));
    if (good.length === rows.length) throw failure;
    const failed = rows.flatMap((row, index): Result[] => {
      const reasons = blamed.get(index);
      return reasons === undefined ? [] : [{ row, outcome: 'FAILED', id: null, reasons }];
    });
    return [...failed, ...(await sendBatch(client, collection, good))];
  }
}

/**
 * Upserts the rows and returns a result for each, in no particular order.
 * A rejected row is a result. A request that cannot succeed (key, quota, server down) throws RequestFailure after those in flight have ended.
 */
export async function sendRows(
  client: Client,
  collection: string,
  rows: readonly Row[],
  options: BatchOptions,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < rows.length && failures.length === 0) {
      const batch = rows.slice(next, next + options.batchSize);
      next += batch.length;
      try {
        const sent = await sendBatch(client, collection, batch);
        results.push(...sent);
        options.onResults(sent);
      } catch (failure) {
        failures.push(failure);
      }
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
