/** Imports open data through the public REST API: `npm run import -- season FILE --url URL --key KEY`. */
import { writeFile } from 'node:fs/promises';
// The example is written like a partner's own program, so it reads its environment directly.
import { env } from 'node:process';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { commands, type Command } from './commands.ts';
import { flag, helpOf, valued, type Option } from './options.ts';
import { openReport } from './report.ts';
import { runImport, SourceError } from './run.ts';
import { readSourceFile } from './source-file.ts';

const common: Readonly<Record<string, Option>> = {
  url: valued('URL', 'address of the API', 'http://localhost:4000'),
  key: valued('KEY', 'API key of a plan with write access; default: API_KEY'),
  'batch-size': valued('N', 'rows per request, 1 to 500', '500'),
  concurrency: valued('N', 'requests in flight, 1 to 16', '2'),
  check: flag('read the file and report what would be sent; sends nothing and needs no key'),
  rejected: valued('FILE', 'write rejected rows to this file, as JSON lines'),
  correct: valued('REASON', 'correct official results that differ from the file, with this reason'),
  help: flag('print this help; after a command, its own help'),
};

const general = `Usage: npm run import -- COMMAND FILE [options]

Reads FILE and upserts its rows through the REST API. Rows are matched by external ID, so a second run
changes nothing. To resume an interrupted run, start it again.

${Object.entries(commands)
  .map(([name, { what }]) => `  ${name.padEnd(14)}${what}`)
  .join('\n')}

${helpOf(common)}

Exit codes: 0 every row was written (or is valid), 1 the import stopped early, 2 rows were rejected.`;

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
    throw new Error(`--${name} must be a whole number from 1 to ${maximum}, not ${text ?? ''}`);
  return value;
}

const configOf = (options: Readonly<Record<string, Option>>): ParseArgsOptionsConfig =>
  Object.fromEntries(Object.entries(options).map(([name, { type, multiple }]) => [name, { type, multiple }]));

interface Arguments {
  readonly name: string | undefined;
  readonly command: Command | undefined;
  readonly positionals: readonly string[];
  readonly values: ReturnType<typeof parseArgs>['values'];
  /** The value of a common option, or its default. */
  text(option: string): string | undefined;
}

function readArguments(args: string[]): Arguments {
  // The command defines the options, so it is found before they are parsed.
  const name = args.find((each) => !each.startsWith('-'));
  const command = commands[name ?? ''];
  const options = configOf({ ...command?.options, ...common });
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const text = (option: string): string | undefined => {
    const value = values[option];
    return typeof value === 'string' ? value : (common[option]?.default ?? undefined);
  };
  return { name, command, positionals, values, text };
}

/** The name of the source and its file. Throws Error when one is missing. */
function sourceOf(positionals: readonly string[]): { source: string; file: string } {
  const [source, file, ...rest] = positionals;
  if (source === undefined || file === undefined || rest.length > 0)
    throw new Error(`Name the source and one file.\n\n${general}`);
  return { source, file };
}

/** Imports a file. Prints the report and writes the rejected rows, also when the import stops early. */
async function importFile({ positionals, values, text }: Arguments): Promise<void> {
  const { source, file } = sourceOf(positionals);
  const key = text('key') ?? env.API_KEY ?? '';
  const check = values.check === true;
  if (key === '' && !check) throw new Error('Writing requires an API key. Pass it with --key or in API_KEY.');
  const report = openReport();
  const batchSize = wholeNumber('batch-size', text('batch-size'), 500);
  const concurrency = wholeNumber('concurrency', text('concurrency'), 16);
  const contents = await readSourceFile(file);
  try {
    const correct = text('correct') ?? null;
    const options = { url: text('url') ?? '', key, batchSize, concurrency, report, correct };
    await runImport(source, contents, { ...options, values, source: file, check });
    if (report.rejectedCount() > 0) process.exitCode = 2;
  } catch (error) {
    if (error instanceof SourceError) throw new Error(`${file} cannot be read as ${source}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    console.log(
      [report.summary(), check ? 'Nothing was sent.' : report.cost(), report.rejections(50)]
        .filter((part) => part !== '')
        .join('\n\n'),
    );
    const rejected = text('rejected');
    if (rejected !== undefined) await writeFile(rejected, report.jsonLines());
  }
}

async function main(): Promise<void> {
  const args = readArguments(process.argv.slice(2));
  const { name, command, values } = args;
  if (values.help !== true) return importFile(args);
  console.log(command && name !== undefined ? helpOfCommand(name, command) : general);
}

try {
  await main();
} catch (error) {
  console.error(`import: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
