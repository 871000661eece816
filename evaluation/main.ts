/** `npm run evaluate`: compares matches, recommendations and talent scores with baselines on data with known ground truth. */
import { writeFileSync } from 'node:fs';
import { runCommand } from '../commands/command.ts';
import { evaluate } from './evaluate.ts';
import { help, readOptions } from './options.ts';
import { openReadModel } from './read-model.ts';
import type { Report } from './report.ts';
import { printReport } from './table.ts';

const log = (line: string): void => console.error(line);

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === null) return console.log(help);
  const { json, ...sizes } = options;
  const openData = process.env['OPEN_DATA'] ?? null;

  await using resources = new AsyncDisposableStack();
  // PostgreSQL runs as a detached process and must be stopped when the evaluation is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void resources.disposeAsync().finally(() => process.exit(1)));
  const reports: Report[] = [];
  for await (const report of evaluate({ ...sizes, openData, log, openReadModel: () => openReadModel(resources) })) {
    reports.push(report);
    console.log(`${printReport(report)}\n`);
  }
  if (json !== null) writeFileSync(json, `${JSON.stringify({ ...sizes, reports }, null, 2)}\n`);
}

await runCommand(main);
