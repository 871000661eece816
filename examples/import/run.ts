/** Runs one import: reads the source, sends its collections in order, keeps the report. */
import { openClient, type ClientOptions } from './client.ts';
import { readClubs } from './clubs.ts';
import { sendRows } from './batch.ts';
import { openProgress, type Progress } from './progress.ts';
import type { Report } from './report.ts';
import { externalIdOf, type Result, type Source } from './row.ts';
import { memberships, readSquads } from './squads.ts';
import { readUniversities } from './universities.ts';

export interface ImportOptions extends Omit<ClientOptions, 'onWait'> {
  readonly batchSize: number;
  readonly concurrency: number;
  readonly report: Report;
}

/** Sends one collection; `kind` is its name in the report. */
type Send = (kind: string, collection: string, source: Source) => Promise<Result[]>;

const idsOf = (results: readonly Result[]): Map<string, string> =>
  new Map(results.flatMap(({ row, id }): [string, string][] => (id === null ? [] : [[externalIdOf(row), id]])));

/** The text is not what its reader reads. */
export class SourceFault extends Error {}

function read<Rows>(reader: (text: string) => Rows, text: string): Rows {
  try {
    return reader(text);
  } catch (fault) {
    throw new SourceFault(fault instanceof Error ? fault.message : String(fault), { cause: fault });
  }
}

async function squads(text: string, send: Send): Promise<void> {
  const { teams, athletes, players } = read(readSquads, text);
  const teamIds = idsOf(await send('teams', '/organizations/teams', teams));
  const athleteIds = idsOf(await send('athletes', '/athletes', athletes));
  await send('memberships', '/organizations/memberships', memberships(players, teamIds, athleteIds));
}

/** What can be imported, by the name it has on the command line. */
export const imports: Readonly<Record<string, (text: string, send: Send) => Promise<unknown>>> = {
  clubs: (text, send) => send('organizations', '/organizations', read(readClubs, text)),
  universities: (text, send) => send('organizations', '/organizations', read(readUniversities, text)),
  squads,
};

/**
 * Imports the text of a source. Every row ends in the report, as written or as rejected.
 * @throws {RequestFailure} when the import had to stop; the report then holds what was done until then.
 * @throws {SourceFault} when the text is not a source of this kind.
 */
export async function runImport(source: string, text: string, options: ImportOptions): Promise<void> {
  const { batchSize, concurrency, report, ...clientOptions } = options;
  const run = imports[source];
  if (run === undefined) throw new Error(`Nothing is known about ${source}; there are ${Object.keys(imports).join(', ')}`);
  let progress: Progress | null = null;
  const onWait = (reason: string, waitMs: number): void => progress?.note(`waiting ${Math.ceil(waitMs / 1000)} s: ${reason}`);
  const client = openClient({ ...clientOptions, onWait });

  const send: Send = async (kind, collection, { rows, rejected }) => {
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
  await run(text, send);
}
