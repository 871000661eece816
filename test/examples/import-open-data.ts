/** Imports a file of the open data into a test platform and returns the number of requests. */
import { resolve } from 'node:path';
import { dataFolder } from '../open-data.ts';
import type { TestPlatform } from '../test-platform.ts';
import { runImporter, type Run } from './run-importer.ts';

export interface ImportRun extends Run {
  /** Number of requests in the report, without repetitions. */
  readonly requests: number;
}

/** Runs `npm run import -- command file options` with a key. The file is in the open data or has an absolute path. @throws {Error} with the output when the import stopped early. */
export async function importOpenData(
  platform: TestPlatform,
  key: string,
  command: string,
  file: string,
  ...options: readonly string[]
): Promise<ImportRun> {
  const run = await runImporter([command, resolve(dataFolder, file), '--url', platform.restUrl, ...options], { API_KEY: key });
  const [, calls] = /^(\d+) calls in /m.exec(run.out) ?? [];
  if (![0, 2].includes(run.code) || calls === undefined) throw new Error(`${run.out}\n${run.err}`);
  const repeated = [...run.out.matchAll(/(\d+) repeated: /g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return { ...run, requests: Number(calls) - repeated };
}

/** True when the report says that nothing changed. */
export const hasNoChanges = ({ out }: Run): boolean => {
  const lines = out.split('\n').flatMap((line) => /^[a-z]+ +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$/.exec(line)?.slice(2, 4) ?? []);
  return lines.length > 0 && lines.every((count) => count === '0');
};
