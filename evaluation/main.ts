/** `npm run evaluate`: how well matches, recommendations and talent scores rank, beside baselines, where the truth is known. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../commands/command.ts';
import { evaluate } from './evaluate.ts';
import { help, readOptions } from './options.ts';
import { openReadModel } from './read-model.ts';
import type { Report } from './report.ts';
import { printReport } from './table.ts';
import { tourFile } from './tour.ts';

const tell = (line: string): void => console.error(line);

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === null) return console.log(help);
  const { json, ...asked } = options;
  const folder = process.env['OPEN_DATA'] ?? null;
  const openData = folder !== null && existsSync(join(folder, tourFile)) ? folder : null;
  if (openData === null) tell(`The Tour de France is left out: OPEN_DATA names no folder with ${tourFile} in it.`);

  await using resources = new AsyncDisposableStack();
  // PostgreSQL is detached: without this it would outlive an evaluation that is interrupted
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void resources.disposeAsync().finally(() => process.exit(1)));
  const reports: Report[] = [];
  for await (const report of evaluate({ ...asked, openData, log: tell, openReadModel: () => openReadModel(resources) })) {
    reports.push(report);
    console.log(`${printReport(report)}\n`);
  }
  if (json !== null) writeFileSync(json, `${JSON.stringify({ ...asked, reports }, null, 2)}\n`);
}

await runCommand(main);
