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

/** The IDs of the accounts with a name. Throws Error when no account has it. */
export async function accountIdsOf({ execute }: Administration, name: string): Promise<readonly string[]> {
  const { accounts } = await execute<{ accounts: { nodes: { id: string }[] } }>(
    'query ($name: String!) { accounts(first: 100, filter: { name: $name }) { nodes { id } } }',
    { name },
  );
  if (accounts.nodes.length === 0) throw new Error(`There is no account named "${name}".`);
  return accounts.nodes.map(({ id }) => id);
}
