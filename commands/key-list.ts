/** `npm run keys -- list`: keys as a table, newest first. */
import { parseArgs } from 'node:util';
import type { Administration } from './administration.ts';
import { UsageError } from './command.ts';
import { accountIdsOf, required, withAdministration } from './key-administration.ts';
import { tableOf } from './key-texts.ts';

interface Listed {
  readonly publicId: string;
  readonly name: string;
  readonly status: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly account: { readonly name: string };
  readonly plan: { readonly code: string };
}

async function keysOf({ execute }: Administration, filter: object): Promise<Listed[]> {
  const keys: Listed[] = [];
  let after: string | null = null;
  do {
    const page: { apiKeys: { nodes: Listed[]; pageInfo: { nextCursor: string | null } } } = await execute(
      `query ($after: String, $filter: ApiKeyFilter) { apiKeys(first: 100, after: $after, filter: $filter) {
        nodes { publicId name status scopes expiresAt account { name } plan { code } } pageInfo { nextCursor } } }`,
      { after, filter },
    );
    keys.push(...page.apiKeys.nodes);
    after = page.apiKeys.pageInfo.nextCursor;
  } while (after !== null);
  return keys;
}

export async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { account: { type: 'string' }, status: { type: 'string' } } });
  const status = values.status?.toUpperCase();
  if (status !== undefined && !['ACTIVE', 'DISABLED', 'REVOKED'].includes(status))
    throw new UsageError('--status is active, disabled or revoked.');
  const standing = status === undefined ? {} : { status: [status] };
  await withAdministration(async (administration) => {
    let filters: object[] = [standing];
    if (values.account !== undefined) {
      const ids = await accountIdsOf(administration, required(values.account, '--account'));
      filters = ids.map((accountId) => ({ ...standing, accountId }));
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
