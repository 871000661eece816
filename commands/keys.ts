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
  npm run keys -- issue --account NAME|ID --plan CODE [--scopes SCOPE,…] [--name NAME] [--expires WHEN] [--allow CIDR,…]
                         [--registered-documents-only] [--test] [--quiet]
  npm run keys -- list [--account NAME|ID] [--status active|disabled|revoked]
  npm run keys -- rotate PUBLIC_ID [--grace TIME] [--quiet]
  npm run keys -- move PUBLIC_ID | --account NAME|ID --plan CODE [--when by-price|now|period-end]
  npm run keys -- disable PUBLIC_ID [--reason TEXT]
  npm run keys -- enable PUBLIC_ID [--reason TEXT]
  npm run keys -- revoke PUBLIC_ID --reason TEXT

issue    creates a key, and the account if it does not exist; the key is printed once
  --account  name or ID; an account with users of the portal needs the ID, because people who register choose the name of theirs
  --plan     free, starter, pro, enterprise, or a custom plan; free has no write scopes
  --expires  2027-01-31, 2027-01-31T12:00:00Z, or an offset such as 90d or 12h; default: never
  --allow    networks or addresses from which the key is accepted; default: all
  --registered-documents-only  the key runs only registered GraphQL documents
  --test     the key works on the test data of the account, with write scopes on every plan
  --quiet    prints only the key:  KEY=$(npm run --silent keys -- issue … --quiet)
list     lists keys, newest first
rotate   creates the successor of a key with the same scopes and quota; it is printed once
  --grace    how long the old key is still accepted: 0, 90m, 24h (default), up to 7d; 0 revokes it at once
move     moves a key and its lineage, or all keys of an account, to another plan; usage is carried over
  --when     by-price (default: at once to a plan of equal or higher price, otherwise at the end of the month), now, period-end;
             moving to the current plan cancels a scheduled move
disable  rejects a key until it is enabled again
revoke   rejects a key permanently, everywhere within a second

PUBLIC_ID is the part of the key before the dot.

Scopes:
${Object.entries(scopes)
  .map(([name, { allows }]) => `  ${name.padEnd(20)} ${allows}`)
  .join('\n')}

The platform must be running (npm start), or DATABASE_URL and SECRET must name its database.
${describe({ DATABASE_URL: dataVariables.DATABASE_URL, SECRET: dataVariables.SECRET, DATA_DIRECTORY: dataVariables.DATA_DIRECTORY })}

Exit codes: 0 success, 1 rejected or failed, 2 wrong usage.`;

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
    throw new UsageError(name === '' ? `Name an action: ${known}.` : `There is no action "${name}". Use one of ${known}.`);
  await action(args);
});
