/** Demo data: the account that owns it, and that of the scouts. No keys, no administrators. */
import type { AreaSeed } from '../../runtime/area-seed.ts';

export const accountsSeed: AreaSeed = {
  tables: ['account'],
  demo({ account, scouts }, add) {
    for (const { id, name, createdAt } of [scouts, account]) add('account', { id, name, createdAt, updatedAt: createdAt });
  },
};
