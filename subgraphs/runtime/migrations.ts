/** What makes each area's schema of the database: the tables of the one write function, then the area's own. */
import { join } from 'node:path';
import type { MigratedArea } from '../../platform/database/migrate.ts';
import { areas } from '../../schema/areas.ts';

const root = join(import.meta.dirname, '../..');

export const migratedAreas: readonly MigratedArea[] = areas.map((area) => ({
  schema: area,
  directories: [join(root, 'platform', 'migrations'), join(root, 'subgraphs', area, 'migrations')],
}));
