/** Demo accounts: the owner of the demo data and the scouts. There are no demo keys or administrators. */
import type { AreaSeed } from '../../runtime/area-seed.ts';

export const accountsSeed: AreaSeed = {
  tables: ['account'],
  demo({ account, scouts }, add) {
    for (const { id, name, createdAt } of [scouts, account]) add('account', { id, name, createdAt, updatedAt: createdAt });
  },
};
