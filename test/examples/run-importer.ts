/** Runs the importer like a partner does: a separate process with only its command line. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

export const main = join(import.meta.dirname, '../../examples/import/main.ts');

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the importer until it exits. */
export function runImporter(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { env: { PATH: process.env.PATH, ...env } }, (_, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err });
    });
  });
}

/** The counts of one line of the report. */
export function counts(
  run: Run,
  kind: string,
): { rows: number; created: number; updated: number; unchanged: number; rejected: number } {
  const line = new RegExp(`^${kind} +(\\d+) +(\\d+) +(\\d+) +(\\d+) +(\\d+)$`, 'm').exec(run.out);
  if (line === null) throw new Error(`The report has no line for ${kind}:\n${run.out}\n${run.err}`);
  const [rows = 0, created = 0, updated = 0, unchanged = 0, rejected = 0] = line.slice(1).map(Number);
  return { rows, created, updated, unchanged, rejected };
}
