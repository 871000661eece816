/** The areas of the graph. An area is a folder in subgraphs/, a database schema, and an entry here. */
export const areas = ['accounts', 'athletes', 'competitions', 'opportunities', 'organizations', 'scouting'] as const;

export type Area = (typeof areas)[number];
