/** The areas of the graph. */
import { recordOf } from './records.ts';

/** An area is a folder in subgraphs/, a database schema, and an entry here. */
export const areas = ['accounts', 'athletes', 'competitions', 'opportunities', 'organizations', 'scouting'] as const;

export type Area = (typeof areas)[number];

/** A record with a value for every area. */
export function mapAreas<Value>(valueOf: (area: Area) => Value): Record<Area, Value> {
  return recordOf(areas.map((area) => [area, valueOf(area)] as const));
}

/** A record with the awaited value of every area, computed concurrently. */
export async function mapAreasAsync<Value>(valueOf: (area: Area) => Promise<Value>): Promise<Record<Area, Value>> {
  const entries = await Promise.all(areas.map(async (area) => [area, await valueOf(area)] as const));
  return recordOf(entries);
}
