/** `npm run admin -- setup | list | reset | disable`: administrators from the command line, for who cannot sign in. */
import './production.ts';
import { parseArgs } from 'node:util';
import { describe, readEnvironment } from '../platform/env.ts';
import { dataVariables, publicServerVariables, ports, processVariables } from '../wiring/environment.ts';
import type { Administration } from './administration.ts';
import { runCommand, UsageError } from './command.ts';
import { dashboardOrigin } from './first-administrator.ts';
import { required, withAdministration } from './key-administration.ts';
import { tableOf } from './key-texts.ts';

const help = `Usage:
  npm run admin -- setup
  npm run admin -- list
  npm run admin -- reset EMAIL
  npm run admin -- disable EMAIL [--reason TEXT]

setup    makes the link by which the first owner comes in, good once within half an hour; the one before is void
list     shows who administers, newest first
reset    makes a link by which an administrator sets another password, good once within half an hour; using it ends all sessions
disable  refuses an administrator at once; the last active owner stays

Whoever has a link sets the password: hand it on by a way that only they read.

The platform must be running (npm start), or DATABASE_URL and SECRET must name its database.
${describe({
  DATABASE_URL: dataVariables.DATABASE_URL,
  SECRET: dataVariables.SECRET,
  DATA_DIRECTORY: dataVariables.DATA_DIRECTORY,
  PUBLIC_URL: publicServerVariables.PUBLIC_URL,
  PORT: processVariables.PORT,
})}

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`;

interface Link {
  readonly setupPath: string;
  readonly expiresAt: string;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly lastSignedInAt: string | null;
}

function show({ setupPath, expiresAt }: Link): void {
  const { PORT } = readEnvironment(process.env, processVariables);
  const origin = dashboardOrigin(process.env, PORT ?? ports['all'] ?? 0);
  console.log(`${origin}${setupPath}`);
  console.error(`Good once, until ${expiresAt}.`);
}

async function rows({ ask }: Administration): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let after: string | null = null; ;) {
    const page: { nodes: Row[]; pageInfo: { nextCursor: string | null } } = (
      await ask<{ administrators: { nodes: Row[]; pageInfo: { nextCursor: string | null } } }>(
        `query ($after: String) { administrators(first: 100, after: $after) {
          nodes { id name email role status lastSignedInAt } pageInfo { nextCursor }
        } }`,
        { after },
      )
    ).administrators;
    all.push(...page.nodes);
    after = page.pageInfo.nextCursor;
    if (after === null) return all;
  }
}

/** Whom an address means. Throws Error when it is nobody's. */
async function idOf(administration: Administration, given: string | undefined): Promise<string> {
  const email = required(given, 'The address of the administrator');
  const found = (await rows(administration)).find((row) => row.email.toLowerCase() === email.trim().toLowerCase());
  if (!found) throw new Error(`There is no administrator ${email}.`);
  return found.id;
}

const actions: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  setup(args) {
    parseArgs({ args });
    return withAdministration(async ({ ask }) => {
      const { createSetupLink } = await ask<{ createSetupLink: Link | null }>(
        'mutation { createSetupLink { setupPath expiresAt } }',
        {},
      );
      if (!createSetupLink) throw new Error('This platform has an owner already: see `npm run admin -- list`.');
      show(createSetupLink);
    });
  },
  list(args) {
    parseArgs({ args });
    return withAdministration(async (administration) => {
      const all = await rows(administration);
      if (all.length === 0) return console.log('Nobody administers this platform yet: npm run admin -- setup.');
      const cells = all.map((row) => [row.email, row.name, row.role, row.status, row.lastSignedInAt ?? 'never']);
      console.log(tableOf(['EMAIL', 'NAME', 'ROLE', 'STATUS', 'LAST SIGNED IN'], cells));
    });
  },
  reset(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    return withAdministration(async (administration) => {
      const { resetAdministrator } = await administration.ask<{ resetAdministrator: Link }>(
        'mutation ($id: ID!) { resetAdministrator(id: $id) { setupPath expiresAt } }',
        { id: await idOf(administration, positionals[0]) },
      );
      show(resetAdministrator);
    });
  },
  disable(args) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { reason: { type: 'string' } } });
    return withAdministration(async (administration) => {
      const id = await idOf(administration, positionals[0]);
      const variables = { id, reason: values.reason ?? null };
      await administration.ask(
        'mutation ($id: ID!, $reason: String) { disableAdministrator(id: $id, reason: $reason) { id } }',
        variables,
      );
      console.log(`${positionals[0] ?? ''} is disabled, and signed out everywhere.`);
    });
  },
};

await runCommand(async ([name = '', ...args]) => {
  if (['--help', '-h'].some((word) => word === name || args.includes(word))) return console.log(help);
  const known = Object.keys(actions).join(', ');
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action)
    throw new UsageError(name === '' ? `Say what to do: ${known}.` : `There is no action "${name}": use one of ${known}.`);
  await action(args);
});
