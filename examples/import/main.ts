/** Imports open data through the public REST API: `npm run import -- season FILE --url URL --key KEY`. */
import { readFile, writeFile } from 'node:fs/promises';
// The example stands for a partner's own program: it reads its environment itself.
import { env } from 'node:process';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { commands, type Command } from './commands.ts';
import { flag, helpOf, valued, type Option } from './options.ts';
import { openReport } from './report.ts';
import { runImport, SourceError } from './run.ts';

const common: Readonly<Record<string, Option>> = {
  url: valued('URL', 'address of the API', 'http://localhost:4000'),
  key: valued('KEY', 'API key of a plan with writes; default: API_KEY'),
  'batch-size': valued('N', 'rows per request, 1 to 500', '500'),
  concurrency: valued('N', 'requests in flight, 1 to 16', '2'),
  rejected: valued('FILE', 'write rejected rows there, as JSON lines'),
  help: flag('this text; after a command its own'),
};

const general = `Usage: npm run import -- COMMAND FILE [options]

Reads FILE and upserts what it holds through the REST API. Rows are recognised by their external id:
a second run changes nothing, and a run that was interrupted is resumed by starting it again.

${Object.entries(commands)
  .map(([name, { what }]) => `  ${name.padEnd(14)}${what}`)
  .join('\n')}

${helpOf(common)}

Ends with 0 when every row was written or rejected, with 1 when it had to stop.`;

function helpOfCommand(name: string, { what, scopes, options }: Command): string {
  const own = Object.keys(options).length === 0 ? [] : [helpOf(options), ''];
  return [
    `Usage: npm run import -- ${name} FILE [options]`,
    '',
    `Imports ${what}. The key needs ${scopes.join(' and ')}.`,
    '',
    ...own,
    helpOf(common),
  ].join('\n');
}

function wholeNumber(name: string, text: string | undefined, maximum: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > maximum)
    throw new Error(`--${name} is a whole number from 1 to ${maximum}, not ${text ?? ''}`);
  return value;
}

const configOf = (options: Readonly<Record<string, Option>>): ParseArgsOptionsConfig =>
  Object.fromEntries(Object.entries(options).map(([name, { type, multiple }]) => [name, { type, multiple }]));

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  // The command decides which options there are, so it is looked for before they are read.
  const name = args.find((each) => !each.startsWith('-'));
  const command = commands[name ?? ''];
  const config = configOf({ ...command?.options, ...common });
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: config });
  const text = (option: string): string | undefined => {
    const value = values[option];
    return typeof value === 'string' ? value : (common[option]?.default ?? undefined);
  };
  if (values.help === true) {
    console.log(command && name !== undefined ? helpOfCommand(name, command) : general);
    return;
  }
  const [source, file, ...rest] = positionals;
  if (source === undefined || file === undefined || rest.length > 0)
    throw new Error(`Name what to import and its file.\n\n${general}`);
  const key = text('key') ?? env.API_KEY ?? '';
  if (key === '') throw new Error('Writing needs an API key: give it with --key or in API_KEY.');
  const report = openReport();
  const batchSize = wholeNumber('batch-size', text('batch-size'), 500);
  const concurrency = wholeNumber('concurrency', text('concurrency'), 16);
  const contents = await readFile(file, 'utf8');
  try {
    await runImport(source, contents, { url: text('url') ?? '', key, batchSize, concurrency, report, values, source: file });
  } catch (failure) {
    if (failure instanceof SourceError)
      throw new Error(`${file} cannot be read as ${source}: ${failure.message}`, { cause: failure });
    throw failure;
  } finally {
    console.log([report.summary(), report.cost(), report.rejections(50)].filter((part) => part !== '').join('\n\n'));
    const rejected = text('rejected');
    if (rejected !== undefined) await writeFile(rejected, report.jsonLines());
  }
}

try {
  await main();
} catch (failure) {
  console.error(`import: ${failure instanceof Error ? failure.message : String(failure)}`);
  process.exitCode = 1;
}
