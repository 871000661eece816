/** `npm run evaluate`: how well matches rank, beside baselines, where the truth is known. */
import { writeFileSync } from 'node:fs';
import { runCommand } from '../commands/command.ts';
import { evaluate } from './evaluate.ts';
import { help, readOptions } from './options.ts';
import type { Report } from './report.ts';
import { printReport } from './table.ts';

const tell = (line: string): void => console.error(line);

function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === null) {
    console.log(help);
    return Promise.resolve();
  }
  const { json, ...asked } = options;
  const reports: Report[] = [];
  for (const report of evaluate(asked, tell)) {
    reports.push(report);
    console.log(`${printReport(report)}\n`);
  }
  if (json !== null) writeFileSync(json, `${JSON.stringify({ ...asked, reports }, null, 2)}\n`);
  return Promise.resolve();
}

await runCommand(main);
