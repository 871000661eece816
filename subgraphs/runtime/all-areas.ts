/** The list of areas. */
import type { Area } from '../../schema/areas.ts';
import { accounts } from '../accounts/subgraph.ts';
import { athletes } from '../athletes/subgraph.ts';
import { competitions } from '../competitions/subgraph.ts';
import { opportunities } from '../opportunities/subgraph.ts';
import { organizations } from '../organizations/subgraph.ts';
import { scouting } from '../scouting/subgraph.ts';
import type { AreaDefinition } from './subgraph.ts';

export const allAreas: Readonly<Record<Area, AreaDefinition>> = {
  accounts,
  athletes,
  competitions,
  opportunities,
  organizations,
  scouting,
};
