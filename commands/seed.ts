/** `npm run seed -- --athletes N`: demo data over all ten sports, the same for the same seed. */
import './production.ts';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { describe } from '../platform/env.ts';
import { areas } from '../schema/areas.ts';
import { databaseUrls, dataVariables } from '../wiring/environment.ts';
import { runCommand, UsageError } from './command.ts';
import { seedDemoData } from './demo/load.ts';
import { openPlatform } from './platform.ts';

const athletesMax = 5_000_000;

const help = `Usage: npm run seed -- [--athletes N] [--seed TEXT] [--today DAY] [--yes]

Fills the database with invented organizations, teams, athletes, statistics, competitions, opportunities with
applications, and what scouts keep about athletes.
  --athletes  how many, 1 to ${athletesMax}; 2000 when absent. An organization comes with every 25. From 50,000 on the tables
              cannot be read until all is there; from 100,000 on an athlete has about five rows of statistics
  --seed      any text: the same text, number and day give the same rows; "demo" when absent. Ids are the same on any day
  --today     the day the world stands at, as 2026-10-15: seasons are in progress then; that of the clock when absent
  --yes       needed for the database of DATABASE_URL, which may hold real data: demo rows are public beside it

Refuses when there is demo data already. To start over, stop the platform, remove its data folder, and start it again.
Never makes keys or administrators: npm run keys -- issue does.

The platform must be running (npm start), or DATABASE_URL and SECRET must name its migrated database.
${describe({ DATABASE_URL: dataVariables.DATABASE_URL, SECRET: dataVariables.SECRET, DATA_DIRECTORY: dataVariables.DATA_DIRECTORY })}

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`;

function athletesOf(text: string): number {
  const athletes = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (athletes < 1 || athletes > athletesMax) throw new UsageError(`--athletes is a whole number from 1 to ${athletesMax}.`);
  return athletes;
}

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const known = /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!known || new Date(text).toISOString().slice(0, 10) !== text) throw new UsageError('--today is a day, as 2026-10-15.');
  return text;
}

interface Progress {
  readonly show: (done: number) => void;
  readonly stop: () => void;
}

/** Said once the last athlete is drawn: of a million, half of the time is still to come. */
const tellRest = (): void => console.error('All are drawn; they are stored and indexed.');

/** A bar on a terminal, a line for every tenth elsewhere. */
function openProgress(total: number): Progress {
  if (process.stderr.isTTY) {
    const bar = new SingleBar({ format: '{bar} {percentage}% | {value} of {total} athletes | {eta_formatted} left' });
    bar.start(total, 0);
    const show = (done: number): void => {
      bar.update(done);
      if (done < total) return;
      bar.stop();
      tellRest();
    };
    return { show, stop: () => bar.stop() };
  }
  let tenth = 0;
  const show = (done: number): void => {
    const reached = Math.floor((done / total) * 10);
    if (reached > tenth) console.error(`${done} of ${total} athletes`);
    tenth = reached;
    if (done === total) tellRest();
  };
  return { show, stop: () => undefined };
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      athletes: { type: 'string', default: '2000' },
      seed: { type: 'string', default: 'demo' },
      today: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const athletes = athletesOf(values.athletes);
  const today = dayOf(values.today);
  const external = ['', ...areas.map((area) => `${area.toUpperCase()}_`)].some((prefix) => process.env[`${prefix}DATABASE_URL`]);
  if (external && !values.yes)
    throw new UsageError(
      'DATABASE_URL names a database that may hold real data: demo rows would be public beside it. Say --yes if you mean it.',
    );
  const platform = await openPlatform(process.env);
  const progress = openProgress(athletes);
  const startedAt = performance.now();
  try {
    const { ownerUrl, secrets } = platform;
    await seedDemoData({
      areaUrls: databaseUrls(process.env, ownerUrl, secrets).areas,
      ownerUrl,
      athletes,
      seed: values.seed,
      ...(today !== undefined && { today }),
      onProgress: progress.show,
    });
  } finally {
    progress.stop();
    await platform.close();
  }
  console.log(`${athletes} athletes in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

if (import.meta.main) await runCommand(main);
