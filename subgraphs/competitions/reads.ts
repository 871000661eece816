/** The stores of the area, each made once: what one request reads is batched by the function that reads it. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { createBracketStore } from './brackets/reads.ts';
import { createCompetitionStore } from './competitions/reads.ts';
import { createMatchStore } from './matches/reads.ts';
import { createRankingStore } from './season-rankings/reads.ts';
import { createPersonalBests } from './best-marks/personal-bests.ts';
import { createReplayStore } from './replays/reads.ts';
import { createResultStore } from './results/reads.ts';
import { createPartStores } from './season-parts/part-reads.ts';
import { createSeasonStore } from './seasons/reads.ts';
import { createTeamStandings } from './season-rankings/team-standings.ts';

export function createStores(services: AreaServices) {
  const competitions = createCompetitionStore(services);
  const seasons = createSeasonStore(services);
  return {
    competitions,
    seasons,
    matches: createMatchStore(services),
    replays: createReplayStore(services),
    results: createResultStore(services),
    ...createPartStores(services, seasons),
    rankings: createRankingStore(services, competitions),
    brackets: createBracketStore(services, seasons),
    personalBests: createPersonalBests(services),
    teamStandings: createTeamStandings(services),
  };
}

export type Stores = ReturnType<typeof createStores>;
