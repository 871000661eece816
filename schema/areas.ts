/** The areas of the graph, one row each: an area is a folder, a schema of the database, and this row. */
export const areas = ['accounts', 'athletes', 'competitions', 'opportunities', 'organizations', 'scouting'] as const;

export type Area = (typeof areas)[number];
