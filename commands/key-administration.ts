/** Shared by the actions of `npm run keys`: access to the administration, and lookup of keys and accounts. */
import { isPublicId } from '../platform/security/api-key.ts';
import type { Administration } from './administration.ts';
import { UsageError } from './command.ts';

/** A required value. Throws UsageError when it is absent. */
export function required(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${what} is missing.`);
  return value;
}

/** Opens the platform's administration for one action, and closes it. */
export async function withAdministration(work: (administration: Administration) => Promise<void>): Promise<void> {
  // imported lazily: --help and usage errors do not need the graph or the database driver
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

/** The public ID from the command line. Throws UsageError when it is absent. */
export function publicIdOf(positionals: readonly string[]): string {
  // accept a complete key as well: the public ID is the part before the dot
  return required(positionals[0], 'The public id of the key (sp_live_… or sp_test_…)').split('.')[0] ?? '';
}

/** The ID of the key with this public ID. Throws Error when no key has it. */
export async function keyIdOf({ execute }: Administration, publicId: string): Promise<string> {
  // checked here because the API's own error for a malformed ID is written for programs
  if (!isPublicId(publicId)) throw new Error(`There is no key ${publicId}.`);
  const { apiKeys } = await execute<{ apiKeys: { nodes: { id: string }[] } }>(
    'query ($publicId: String!) { apiKeys(filter: { publicId: $publicId }) { nodes { id } } }',
    { publicId },
  );
  const [key] = apiKeys.nodes;
  if (!key) throw new Error(`There is no key ${publicId}.`);
  return key.id;
}

const accountId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether `--account` is the ID of an account, and not a name. */
export const isAccountId = (text: string): boolean => accountId.test(text);

/** The IDs of the accounts with a name, or the given ID. Throws Error when no account has the name. */
export async function accountIdsOf({ execute }: Administration, account: string): Promise<readonly string[]> {
  if (isAccountId(account)) return [account];
  const { accounts } = await execute<{ accounts: { nodes: { id: string }[] } }>(
    'query ($name: String!) { accounts(first: 100, filter: { name: $name }) { nodes { id } } }',
    { name: account },
  );
  if (accounts.nodes.length === 0) throw new Error(`There is no account named "${account}".`);
  return accounts.nodes.map(({ id }) => id);
}

/**
 * The ID of the account for a change. Throws Error when several accounts have the name, or when the one has users of the portal: anyone who registers
 * chooses the name of an account.
 */
export async function accountToChange(administration: Administration, account: string): Promise<string> {
  const [id = '', ...others] = await accountIdsOf(administration, account);
  if (others.length > 0)
    throw new Error(`Several accounts are named "${account}". Specify the ID of one: ${[id, ...others].join(', ')}.`);
  if (isAccountId(account)) return id;
  const { account: found } = await administration.execute<{ account: { members: { id: string }[] | null } | null }>(
    'query ($id: ID!) { account(id: $id) { members { id } } }',
    { id },
  );
  if (found?.members?.length !== 0)
    throw new Error(
      `The account "${account}" has users of the portal, who may have chosen its name. Check it, and specify its ID: ${id}.`,
    );
  return id;
}
