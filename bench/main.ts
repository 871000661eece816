/** `npm run bench`: our doors beside hand-written routes and the stock gateway, in one run over one database. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../commands/command.ts';
import { openBenchDatabase } from './database.ts';
import { measure } from './measure.ts';
import { openContender, type OpenContender } from './open.ts';
import { help, readOptions } from './options.ts';
import { printHotspots } from './profile.ts';
import { rows as allRows, type Contender } from './rows.ts';
import { measureStandings, printLatencies } from './standings.ts';
import { printTable, ratiosOf } from './table.ts';

const tell = (line: string): void => console.error(line);

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === null) return console.log(help);
  const { only, profile, standings, athletes, seconds, rounds, connections, json } = options;
  const rows = allRows.filter(({ name }) => only.length === 0 || only.includes(name));
  const profileFolder = profile ? join(import.meta.dirname, '..', '.data', 'profiles', only[0] ?? '') : null;
  if (profileFolder !== null) mkdirSync(profileFolder, { recursive: true });
  const startedAt = new Date();

  await using resources = new AsyncDisposableStack();
  tell(`PostgreSQL with ${athletes} athletes …`);
  const opening = openBenchDatabase(athletes);
  // while it opens it may already run; when it fails it has closed itself
  resources.defer(async () => {
    const opened = await opening.catch(() => null);
    await opened?.close();
  });
  // PostgreSQL is detached: without this it would outlive a bench that is interrupted
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void resources.disposeAsync().finally(() => process.exit(1)));
  const database = await opening;
  const machine = { cores: availableParallelism(), cpu: cpus()[0]?.model ?? '', node: process.version };
  if (standings) {
    const latencies = await measureStandings(database, tell);
    console.log(`${startedAt.toISOString()}, Node ${machine.node}, ${machine.cores} cores (${machine.cpu}), one client.\n`);
    return console.log(printLatencies(latencies));
  }
  const open = new Map<Contender, OpenContender>();
  for (const name of new Set(rows.map(({ contender }) => contender))) {
    const contender = await openContender(name, database);
    resources.defer(contender.close);
    open.set(name, contender);
    tell(`${name} listens at ${contender.url}.`);
  }
  const openOf = ({ contender }: (typeof rows)[number]): OpenContender => {
    const found = open.get(contender);
    if (found === undefined) throw new Error(`${contender} is not open`);
    return found;
  };
  const measured = await measure(rows, openOf, { key: database.key, seconds, rounds, connections, profileFolder, tell });
  console.log(`${startedAt.toISOString()}, Node ${machine.node}, ${machine.cores} cores (${machine.cpu}), ${athletes} athletes,`);
  console.log(`${connections} connections, ${rounds} rounds of ${seconds} s.\n\n${printTable(measured)}`);
  if (json !== null) {
    const facts = { at: startedAt.toISOString(), machine, athletes, seconds, rounds, connections };
    writeFileSync(json, `${JSON.stringify({ ...facts, rows: measured, ratios: ratiosOf(measured) }, null, 2)}\n`);
  }
  await resources.disposeAsync();
  if (profileFolder !== null) console.log(printHotspots(profileFolder));
}

await runCommand(main);
