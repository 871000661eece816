/** The stores of the area, each made once: what one request reads is batched by the function that reads it. */
import type { AreaServices } from '../subgraph.ts';
import { createCompetitionStore } from './store/competition.ts';
import { createMatchStore } from './store/match.ts';
import { createReplayStore } from './store/replay.ts';
import { createResultStore } from './store/result.ts';
import { createPartStores } from './store/season-part-reads.ts';
import { createSeasonStore } from './store/season.ts';

export function createStores(services: AreaServices) {
  const seasons = createSeasonStore(services);
  return {
    competitions: createCompetitionStore(services),
    seasons,
    matches: createMatchStore(services),
    replays: createReplayStore(services),
    results: createResultStore(services),
    ...createPartStores(services, seasons),
  };
}

export type Stores = ReturnType<typeof createStores>;
