/** The areas, to filter by. */
import type { Area } from '../generated/graphql.ts';

export const areas = [
  'ACCOUNTS',
  'ATHLETES',
  'COMPETITIONS',
  'OPPORTUNITIES',
  'ORGANIZATIONS',
  'SCOUTING',
] as const satisfies readonly Area[];
