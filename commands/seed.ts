/** `npm run seed -- --athletes N`: seeds demo data for all ten sports, deterministically for a given seed. */
import './production.ts';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { describe } from '../platform/env.ts';
import { areas } from '../schema/areas.ts';
import { databaseUrls } from '../wiring/database-urls.ts';
import { dataVariables } from '../wiring/environment.ts';
import { runCommand, UsageError } from './command.ts';
import { seedDemoData } from './demo/load.ts';
import { openPlatform } from './platform.ts';

const athletesMax = 5_000_000;

const help = `Usage: npm run seed -- [--athletes N] [--seed TEXT] [--today DAY] [--yes]

Seeds invented organizations, teams, athletes, statistics, competitions, opportunities with applications,
and scouting data such as shortlists, reports and saved searches.
  --athletes  number of athletes, 1 to ${athletesMax}; default 2000, with one organization per 25. From 50,000 the tables
              are locked until seeding ends. Leagues have the clubs of the first 120 organizations: from 3,000 athletes,
              the others have a reported career; from 100,000 about five reported rows, also of seasons without matches
  --seed      any text: the same text, number and day give the same rows; default "demo". IDs do not depend on the day
  --today     reference day, such as 2026-10-15, on which seasons are in progress; default: the current day
  --yes       required with DATABASE_URL, whose database may contain real data: demo rows are public

Fails when the database already contains demo data. To start over, stop the platform, delete its data folder, and start it.
Creates no keys and no administrators; use npm run keys -- issue and npm run admin -- setup.

The platform must be running (npm start), or DATABASE_URL and SECRET must name its migrated database.
${describe({ DATABASE_URL: dataVariables.DATABASE_URL, SECRET: dataVariables.SECRET, DATA_DIRECTORY: dataVariables.DATA_DIRECTORY })}

Exit codes: 0 success, 1 rejected or failed, 2 wrong usage.`;

function athletesOf(text: string): number {
  const athletes = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (athletes < 1 || athletes > athletesMax) throw new UsageError(`--athletes must be a whole number from 1 to ${athletesMax}.`);
  return athletes;
}

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const known = /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!known || new Date(text).toISOString().slice(0, 10) !== text)
    throw new UsageError('--today must be a day such as 2026-10-15.');
  return text;
}

interface Progress {
  readonly show: (done: number) => void;
  readonly stop: () => void;
}

/** Printed after the last athlete: with a million athletes, half of the time is still to come. */
const reportStoring = (): void => console.error('All athletes are generated. Storing and indexing …');

/** A progress bar on a terminal, otherwise one line for every tenth. */
function openProgress(total: number): Progress {
  if (process.stderr.isTTY) {
    const bar = new SingleBar({ format: '{bar} {percentage}% | {value} of {total} athletes | {eta_formatted} left' });
    bar.start(total, 0);
    const show = (done: number): void => {
      bar.update(done);
      if (done < total) return;
      bar.stop();
      reportStoring();
    };
    return { show, stop: () => bar.stop() };
  }
  let tenth = 0;
  const show = (done: number): void => {
    const reached = Math.floor((done / total) * 10);
    if (reached > tenth) console.error(`${done} of ${total} athletes`);
    tenth = reached;
    if (done === total) reportStoring();
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
      'The database of DATABASE_URL may contain real data, and demo rows would be public. Pass --yes to confirm.',
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
