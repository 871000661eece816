/** Imports clubs, universities or squads through the public REST API: `npm run import -- clubs FILE --url URL --key KEY`. */
import { readFile, writeFile } from 'node:fs/promises';
// The example stands for a partner's own program: it reads its environment itself.
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { openReport } from './report.ts';
import { imports, runImport, SourceFault } from './run.ts';

const help = `Usage: npm run import -- ${Object.keys(imports).join('|')} FILE [options]

Reads FILE and upserts what it holds through the REST API. Rows are recognised by their external id:
a second run changes nothing, and a run that was interrupted is resumed by starting it again.

  --url URL          address of the API (default http://localhost:4000)
  --key KEY          API key with organizations:write (squads: athletes:write as well); default: API_KEY
  --batch-size N     rows per request, 1 to 500 (default 500)
  --concurrency N    requests in flight, 1 to 16 (default 2)
  --rejected FILE    write rejected rows there, as JSON lines
  --help             this text

Ends with 0 when every row was written or rejected, with 1 when it had to stop.`;

function wholeNumber(name: string, text: string, maximum: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > maximum)
    throw new Error(`--${name} is a whole number from 1 to ${maximum}, not ${text}`);
  return value;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string', default: 'http://localhost:4000' },
      key: { type: 'string', default: env.API_KEY ?? '' },
      'batch-size': { type: 'string', default: '500' },
      concurrency: { type: 'string', default: '2' },
      rejected: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return;
  }
  const [source, file, ...rest] = positionals;
  if (source === undefined || file === undefined || rest.length > 0)
    throw new Error(`Name what to import and its file.\n\n${help}`);
  if (values.key === '') throw new Error('Writing needs an API key: give it with --key or in API_KEY.');
  const report = openReport();
  const batchSize = wholeNumber('batch-size', values['batch-size'], 500);
  const concurrency = wholeNumber('concurrency', values.concurrency, 16);
  const text = await readFile(file, 'utf8');
  try {
    await runImport(source, text, { url: values.url, key: values.key, batchSize, concurrency, report });
  } catch (failure) {
    if (failure instanceof SourceFault)
      throw new Error(`${file} cannot be read as ${source}: ${failure.message}`, { cause: failure });
    throw failure;
  } finally {
    console.log([report.summary(), report.rejections(50)].filter((part) => part !== '').join('\n\n'));
    if (values.rejected !== undefined) await writeFile(values.rejected, report.jsonLines());
  }
}

try {
  await main();
} catch (failure) {
  console.error(`import: ${failure instanceof Error ? failure.message : String(failure)}`);
  process.exitCode = 1;
}
