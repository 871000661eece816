/** What the actions of the keys command share: the administration they ask, and how they name a key. */
import { isPublicId } from '../platform/security/api-key.ts';
import type { Administration } from './administration.ts';
import { UsageError } from './command.ts';

/** A value that must be given. Throws UsageFault. */
export function required(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${what} is missing.`);
  return value;
}

/** Opens the platform's administration for one action, and closes it. */
export async function withAdministration(work: (administration: Administration) => Promise<void>): Promise<void> {
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

/** The public id that a person typed. Throws UsageFault when there is none. */
export function publicIdOf(positionals: readonly string[]): string {
  // whoever pastes the whole key means the part before the dot
  return required(positionals[0], 'The public id of the key (sp_live_…)').split('.')[0] ?? '';
}

/** The id of a key. Throws Error when there is none of this public id. */
export async function keyIdOf({ ask }: Administration, publicId: string): Promise<string> {
  // the graph refuses another form, in words for programs
  if (!isPublicId(publicId)) throw new Error(`There is no key ${publicId}.`);
  const { apiKeys } = await ask<{ apiKeys: { nodes: { id: string }[] } }>(
    'query ($publicId: String!) { apiKeys(filter: { publicId: $publicId }) { nodes { id } } }',
    { publicId },
  );
  const [key] = apiKeys.nodes;
  if (!key) throw new Error(`There is no key ${publicId}.`);
  return key.id;
}

/** The ids of the accounts of a name. Throws Error when there is none. */
export async function accountIdsOf({ ask }: Administration, name: string): Promise<readonly string[]> {
  const { accounts } = await ask<{ accounts: { nodes: { id: string }[] } }>(
    'query ($name: String!) { accounts(first: 100, filter: { name: $name }) { nodes { id } } }',
    { name },
  );
  if (accounts.nodes.length === 0) throw new Error(`There is no account named "${name}".`);
  return accounts.nodes.map(({ id }) => id);
}
