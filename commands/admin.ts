/** `npm run admin -- setup | list | reset | disable`: manages administrators from the command line, for recovery when no administrator can sign in. */
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

setup    creates the one-time setup link for the first owner, valid for 30 minutes; voids the previous link
list     lists the administrators, newest first
reset    creates a one-time link to set a new password, valid for 30 minutes; using it ends all sessions
disable  blocks an administrator at once; the last active owner cannot be disabled

Anyone with a link can set the password. Send it over a private channel.

The platform must be running (npm start), or DATABASE_URL and SECRET must name its database.
${describe({
  DATABASE_URL: dataVariables.DATABASE_URL,
  SECRET: dataVariables.SECRET,
  DATA_DIRECTORY: dataVariables.DATA_DIRECTORY,
  PUBLIC_URL: publicServerVariables.PUBLIC_URL,
  PORT: processVariables.PORT,
})}

Exit codes: 0 success, 1 rejected or failed, 2 wrong usage.`;

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
  console.error(`Valid once, until ${expiresAt}.`);
}

async function rows({ execute }: Administration): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let after: string | null = null; ;) {
    const page: { nodes: Row[]; pageInfo: { nextCursor: string | null } } = (
      await execute<{ administrators: { nodes: Row[]; pageInfo: { nextCursor: string | null } } }>(
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

/** The administrator with an email address. Throws Error when no administrator has it. */
async function idOf(administration: Administration, given: string | undefined): Promise<string> {
  const email = required(given, 'The address of the administrator');
  const found = (await rows(administration)).find((row) => row.email.toLowerCase() === email.trim().toLowerCase());
  if (!found) throw new Error(`There is no administrator ${email}.`);
  return found.id;
}

const actions: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  setup(args) {
    parseArgs({ args });
    return withAdministration(async ({ execute }) => {
      const { createSetupLink } = await execute<{ createSetupLink: Link | null }>(
        'mutation { createSetupLink { setupPath expiresAt } }',
        {},
      );
      if (!createSetupLink) throw new Error('This platform already has an owner. See `npm run admin -- list`.');
      show(createSetupLink);
    });
  },
  list(args) {
    parseArgs({ args });
    return withAdministration(async (administration) => {
      const all = await rows(administration);
      if (all.length === 0) return console.log('This platform has no administrators. Run `npm run admin -- setup`.');
      const cells = all.map((row) => [row.email, row.name, row.role, row.status, row.lastSignedInAt ?? 'never']);
      console.log(tableOf(['EMAIL', 'NAME', 'ROLE', 'STATUS', 'LAST SIGNED IN'], cells));
    });
  },
  reset(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    return withAdministration(async (administration) => {
      const { resetAdministrator } = await administration.execute<{ resetAdministrator: Link }>(
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
      await administration.execute(
        'mutation ($id: ID!, $reason: String) { disableAdministrator(id: $id, reason: $reason) { id } }',
        variables,
      );
      console.log(`${positionals[0] ?? ''} is disabled and signed out everywhere.`);
    });
  },
};

await runCommand(async ([name = '', ...args]) => {
  if (['--help', '-h'].some((word) => word === name || args.includes(word))) return console.log(help);
  const known = Object.keys(actions).join(', ');
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action)
    throw new UsageError(name === '' ? `Name an action: ${known}.` : `There is no action "${name}". Use one of ${known}.`);
  await action(args);
});
