/** `npm run release:data`: writes the data of this version for the upgrade test of the next release. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openBenchDatabase } from '../../bench/database.ts';
import { runCommand, UsageError } from '../../commands/command.ts';
import { compress, readReleaseData } from './release-data.ts';

const help = `Usage: npm run release:data -- FILE

Seeds demo data into a temporary PostgreSQL and writes all rows to the file, such as test/upgrade/0.2.0.json.br. Run it at each release:
the test of the upgrade restores the file with the schema of that release and migrates it.`;

const athletes = 20;

await runCommand(async (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) return console.log(help);
  const [file] = positionals;
  if (file === undefined) throw new UsageError('Name the file.');
  const database = await openBenchDatabase(athletes);
  try {
    const bytes = compress(await readReleaseData(database.ownerUrl, database));
    await writeFile(file, bytes);
    console.log(`${file}: ${Math.round(bytes.length / 1_000)} kB`);
  } finally {
    await database.close();
  }
});
