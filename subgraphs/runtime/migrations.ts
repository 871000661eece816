/** The migrations of each area's database schema: the tables of the write function, then the tables of the area. */
import { join } from 'node:path';
import type { MigratedArea } from '../../platform/database/migrate.ts';
import { areas } from '../../schema/areas.ts';

const root = join(import.meta.dirname, '../..');

export const migratedAreas: readonly MigratedArea[] = areas.map((area) => ({
  schema: area,
  directories: [join(root, 'platform', 'migrations'), join(root, 'subgraphs', area, 'migrations')],
}));
