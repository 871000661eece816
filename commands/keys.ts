/** `npm run keys -- issue | list | revoke`: API keys from the command line. */
import './production.ts';
import { parseArgs } from 'node:util';
import { isPublicId } from '../platform/api-key.ts';
import { describe } from '../platform/env.ts';
import { scopes } from '../schema/scopes.ts';
import { dataVariables } from '../wiring/environment.ts';
import type { Administration } from './administration.ts';
import { runCommand, UsageFault } from './command.ts';
import { expiryOf, tableOf } from './key-texts.ts';

const help = `Usage:
  npm run keys -- issue --account NAME --plan CODE [--scopes SCOPE,…] [--name NAME] [--expires WHEN] [--allow CIDR,…] [--quiet]
  npm run keys -- list [--account NAME] [--status active|disabled|revoked]
  npm run keys -- revoke PUBLIC_ID --reason TEXT

issue    makes a key, and the account when there is none of this name; the key is shown this once
  --plan     free, starter, pro, enterprise, or a plan of your own; free has no scopes that write
  --expires  2027-01-31, 2027-01-31T12:00:00Z, or a time from now such as 90d or 12h; never when absent
  --allow    networks or addresses the key may be used from; anywhere when absent
  --quiet    prints the key and nothing else:  KEY=$(npm run --silent keys -- issue … --quiet)
list     shows keys, newest first
revoke   refuses a key for good, everywhere within a second; PUBLIC_ID is its part before the dot

Scopes:
${Object.entries(scopes)
  .map(([name, { allows }]) => `  ${name.padEnd(20)} ${allows}`)
  .join('\n')}

The platform must be running (npm start), or DATABASE_URL and SECRET must name its database.
${describe({ DATABASE_URL: dataVariables.DATABASE_URL, SECRET: dataVariables.SECRET, DATA_DIRECTORY: dataVariables.DATA_DIRECTORY })}

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`;

const commaSeparated = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

function required(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === '') throw new UsageFault(`${what} is missing.`);
  return value;
}

async function withAdministration(work: (administration: Administration) => Promise<void>): Promise<void> {
  // loaded here: --help and wrong usage answer without the graph and the database driver
  const [{ openPlatform }, { openAdministration }] = await Promise.all([import('./platform.ts'), import('./administration.ts')]);
  const platform = await openPlatform(process.env);
  try {
    const administration = await openAdministration(platform);
    try {
      await work(administration);
    } finally {
      await administration.close();
    }
  } finally {
    await platform.close();
  }
}

async function issue(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = {
    account: text,
    plan: text,
    scopes: text,
    name: text,
    expires: text,
    allow: text,
    quiet: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args, options });
  const input = {
    accountName: required(values.account, '--account'),
    plan: required(values.plan, '--plan'),
    scopes: commaSeparated(values.scopes),
    allowedCidrs: commaSeparated(values.allow),
    ...(values.name !== undefined && { name: values.name }),
    ...(values.expires !== undefined && { expiresAt: expiryOf(values.expires, new Date()) }),
  };
  await withAdministration(async ({ ask }) => {
    const { issueApiKey } = await ask<{
      issueApiKey: { key: string; apiKey: { account: { name: string }; expiresAt: string | null } };
    }>('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { expiresAt account { name } } } }', {
      input,
    });
    const { key, apiKey } = issueApiKey;
    if (values.quiet) return console.log(key);
    const expiry = apiKey.expiresAt === null ? 'without expiry' : `until ${apiKey.expiresAt}`;
    console.log(`Key for ${apiKey.account.name} on the plan "${input.plan}", ${expiry}. Keep it now: it is not shown again.

  ${key}

Try it:
  curl -H "x-api-key: ${key}" http://localhost:4000/api/v1/me`);
  });
}

interface Listed {
  readonly publicId: string;
  readonly name: string;
  readonly status: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly account: { readonly name: string };
  readonly plan: { readonly code: string };
}

async function keysOf({ ask }: Administration, filter: object): Promise<Listed[]> {
  const keys: Listed[] = [];
  let after: string | null = null;
  do {
    const page: { apiKeys: { nodes: Listed[]; pageInfo: { nextCursor: string | null } } } = await ask(
      `query ($after: String, $filter: ApiKeyFilter) { apiKeys(first: 100, after: $after, filter: $filter) {
        nodes { publicId name status scopes expiresAt account { name } plan { code } } pageInfo { nextCursor } } }`,
      { after, filter },
    );
    keys.push(...page.apiKeys.nodes);
    after = page.apiKeys.pageInfo.nextCursor;
  } while (after !== null);
  return keys;
}

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { account: { type: 'string' }, status: { type: 'string' } } });
  const status = values.status?.toUpperCase();
  if (status !== undefined && !['ACTIVE', 'DISABLED', 'REVOKED'].includes(status))
    throw new UsageFault('--status is active, disabled or revoked.');
  const standing = status === undefined ? {} : { status: [status] };
  await withAdministration(async (administration) => {
    let filters: object[] = [standing];
    if (values.account !== undefined) {
      const { accounts } = await administration.ask<{ accounts: { nodes: { id: string }[] } }>(
        'query ($name: String!) { accounts(first: 100, filter: { name: $name }) { nodes { id } } }',
        { name: required(values.account, '--account') },
      );
      if (accounts.nodes.length === 0) throw new Error(`There is no account named "${values.account}".`);
      filters = accounts.nodes.map(({ id }) => ({ ...standing, accountId: id }));
    }
    const keys = (await Promise.all(filters.map((filter) => keysOf(administration, filter)))).flat();
    if (keys.length === 0) return console.log('There are no such keys.');
    const rows = keys.map((key) => [
      key.publicId,
      key.account.name,
      key.name,
      key.plan.code,
      key.status,
      key.expiresAt ?? 'never',
      key.scopes.join(','),
    ]);
    console.log(tableOf(['PUBLIC ID', 'ACCOUNT', 'NAME', 'PLAN', 'STATUS', 'EXPIRES', 'SCOPES'], rows));
  });
}

async function revoke(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { reason: { type: 'string' } }, allowPositionals: true });
  // whoever pastes the whole key means the part before the dot
  const publicId = required(positionals[0], 'The public id of the key (sp_live_…)').split('.')[0] ?? '';
  const reason = required(values.reason, '--reason');
  // the graph refuses another form, in words for programs
  if (!isPublicId(publicId)) throw new Error(`There is no key ${publicId}.`);
  await withAdministration(async ({ ask }) => {
    const found = await ask<{ apiKeys: { nodes: { id: string }[] } }>(
      'query ($publicId: String!) { apiKeys(filter: { publicId: $publicId }) { nodes { id } } }',
      { publicId },
    );
    const [key] = found.apiKeys.nodes;
    if (!key) throw new Error(`There is no key ${publicId}.`);
    await ask('mutation ($id: ID!, $reason: String!) { revokeApiKey(id: $id, reason: $reason) { id } }', { id: key.id, reason });
    console.log(`${publicId} is revoked.`);
  });
}

const actions = new Map([
  ['issue', issue],
  ['list', list],
  ['revoke', revoke],
]);

await runCommand(async ([name = '', ...args]) => {
  const wantsHelp = ['--help', '-h'].some((word) => word === name || args.includes(word));
  if (wantsHelp) return console.log(help);
  const action = actions.get(name);
  if (!action)
    throw new UsageFault(
      name === '' ? 'Say what to do: issue, list or revoke.' : `There is no action "${name}": use issue, list or revoke.`,
    );
  await action(args);
});
