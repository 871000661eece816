/** `npm run keys -- issue | list | rotate | move | disable | enable | revoke`: API keys from the command line. */
import './production.ts';
import { describe } from '../platform/env.ts';
import { scopes } from '../schema/scopes.ts';
import { dataVariables } from '../wiring/environment.ts';
import { runCommand, UsageError } from './command.ts';
import { issue } from './key-issue.ts';
import { list } from './key-list.ts';
import { disable, enable, move, revoke, rotate } from './key-steps.ts';

const help = `Usage:
  npm run keys -- issue --account NAME --plan CODE [--scopes SCOPE,…] [--name NAME] [--expires WHEN] [--allow CIDR,…] [--quiet]
  npm run keys -- list [--account NAME] [--status active|disabled|revoked]
  npm run keys -- rotate PUBLIC_ID [--grace TIME] [--quiet]
  npm run keys -- move PUBLIC_ID | --account NAME --plan CODE [--when by-price|now|period-end]
  npm run keys -- disable PUBLIC_ID [--reason TEXT]
  npm run keys -- enable PUBLIC_ID [--reason TEXT]
  npm run keys -- revoke PUBLIC_ID --reason TEXT

issue    makes a key, and the account when there is none of this name; the key is shown this once
  --plan     free, starter, pro, enterprise, or a plan of your own; free has no scopes that write
  --expires  2027-01-31, 2027-01-31T12:00:00Z, or a time from now such as 90d or 12h; never when absent
  --allow    networks or addresses the key may be used from; anywhere when absent
  --quiet    prints the key and nothing else:  KEY=$(npm run --silent keys -- issue … --quiet)
list     shows keys, newest first
rotate   makes the successor of a key, with the same rights and quota; it is shown this once
  --grace    how long the old key is still accepted: 0, 90m, 24h (when absent), up to 7d; with 0 it is revoked
move     puts a key and its lineage, or all keys of an account, on another plan; what was used stays used
  --when     by-price (when absent: at once where it costs at least as much, otherwise when the month ends), now, period-end;
             moving to the plan it has withdraws a move that is to come
disable  refuses a key until it is enabled again
revoke   refuses a key for good, everywhere within a second

PUBLIC_ID is the part of the key before the dot.

Scopes:
${Object.entries(scopes)
  .map(([name, { allows }]) => `  ${name.padEnd(20)} ${allows}`)
  .join('\n')}

The platform must be running (npm start), or DATABASE_URL and SECRET must name its database.
${describe({ DATABASE_URL: dataVariables.DATABASE_URL, SECRET: dataVariables.SECRET, DATA_DIRECTORY: dataVariables.DATA_DIRECTORY })}

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`;

const actions = new Map([
  ['issue', issue],
  ['list', list],
  ['rotate', rotate],
  ['move', move],
  ['disable', disable],
  ['enable', enable],
  ['revoke', revoke],
]);

await runCommand(async ([name = '', ...args]) => {
  const wantsHelp = ['--help', '-h'].some((word) => word === name || args.includes(word));
  if (wantsHelp) return console.log(help);
  const action = actions.get(name);
  const known = [...actions.keys()].join(', ');
  if (!action)
    throw new UsageError(name === '' ? `Say what to do: ${known}.` : `There is no action "${name}": use one of ${known}.`);
  await action(args);
});
