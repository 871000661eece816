/** Demo data: the one account that owns it. No keys, no administrators. */
import type { AreaSeed } from '../seed.ts';

export const accountsSeed: AreaSeed = {
  tables: ['account'],
  world: ({ account }, add) =>
    add('account', { id: account.id, name: account.name, createdAt: account.createdAt, updatedAt: account.createdAt }),
};
