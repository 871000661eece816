/** The definitions of the areas. Each is loaded when it is needed: the process of an area does not load the others. */
import type { Area } from '../../schema/areas.ts';
import type { AreaDefinition } from './subgraph.ts';

const definitions: Readonly<Record<Area, () => Promise<AreaDefinition>>> = {
  accounts: async () => (await import('../accounts/subgraph.ts')).accounts,
  athletes: async () => (await import('../athletes/subgraph.ts')).athletes,
  competitions: async () => (await import('../competitions/subgraph.ts')).competitions,
  opportunities: async () => (await import('../opportunities/subgraph.ts')).opportunities,
  organizations: async () => (await import('../organizations/subgraph.ts')).organizations,
  scouting: async () => (await import('../scouting/subgraph.ts')).scouting,
};

/** Loads the definition of an area. */
export const loadArea = (area: Area): Promise<AreaDefinition> => definitions[area]();
