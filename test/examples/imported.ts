/** Imports a file of the open data into a world, and tells what it cost. */
import { resolve } from 'node:path';
import { dataFolder } from '../open-data.ts';
import type { TestPlatform } from '../test-platform.ts';
import { runImporter, type Run } from './run-importer.ts';

export interface Imported extends Run {
  /** Requests it took, as the report says. */
  readonly calls: number;
}

/** Runs `npm run import -- command file options` with a key; the file lies in the open data, or has a path of its own. @throws {Error} with what it said when it had to stop. */
export async function imported(
  platform: TestPlatform,
  key: string,
  command: string,
  file: string,
  ...options: readonly string[]
): Promise<Imported> {
  const run = await runImporter([command, resolve(dataFolder, file), '--url', platform.restUrl, ...options], { API_KEY: key });
  const [, calls] = /^(\d+) calls in /m.exec(run.out) ?? [];
  if (run.code !== 0 || calls === undefined) throw new Error(`${run.out}\n${run.err}`);
  return { ...run, calls: Number(calls) };
}

/** True where the report says that everything was as it is. */
export const changedNothing = ({ out }: Run): boolean => {
  const lines = out.split('\n').flatMap((line) => /^[a-z]+ +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$/.exec(line)?.slice(2, 4) ?? []);
  return lines.length > 0 && lines.every((count) => count === '0');
};
