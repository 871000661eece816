/** `npm run evaluate`: how well matches and talent scores rank, beside baselines, where the truth is known. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../commands/command.ts';
import { evaluate } from './evaluate.ts';
import { help, readOptions } from './options.ts';
import type { Report } from './report.ts';
import { printReport } from './table.ts';
import { tourFile } from './tour.ts';

const tell = (line: string): void => console.error(line);

function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === null) {
    console.log(help);
    return Promise.resolve();
  }
  const { json, ...asked } = options;
  const folder = process.env['OPEN_DATA'] ?? null;
  const openData = folder !== null && existsSync(join(folder, tourFile)) ? folder : null;
  if (openData === null) tell(`The Tour de France is left out: OPEN_DATA names no folder with ${tourFile} in it.`);
  const reports: Report[] = [];
  for (const report of evaluate(asked, openData, tell)) {
    reports.push(report);
    console.log(`${printReport(report)}\n`);
  }
  if (json !== null) writeFileSync(json, `${JSON.stringify({ ...asked, reports }, null, 2)}\n`);
  return Promise.resolve();
}

await runCommand(main);
