/** The areas as the admin schema names them. */
import { areas, type Area } from '../../schema/areas.ts';
import type { Area as AreaName } from './generated/resolvers.ts';

export const areaNames = {
  accounts: 'ACCOUNTS',
  athletes: 'ATHLETES',
  competitions: 'COMPETITIONS',
  opportunities: 'OPPORTUNITIES',
  organizations: 'ORGANIZATIONS',
  scouting: 'SCOUTING',
} as const satisfies Record<Area, AreaName>;

/** The area with a name of the admin schema. Throws Error for an unknown name, which the schema rejects before. */
export function areaOf(name: AreaName): Area {
  const area = areas.find((each) => areaNames[each] === name);
  if (area === undefined) throw new Error(`There is no area ${name}`);
  return area;
}
