/** The stores of the area, each made once: what one request reads is batched by the function that reads it. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { createBracketStore } from './store/bracket.ts';
import { createCompetitionStore } from './store/competition.ts';
import { createMatchStore } from './store/match.ts';
import { createRankingStore } from './store/ranking.ts';
import { createPersonalBests } from './store/personal-bests.ts';
import { createReplayStore } from './store/replay.ts';
import { createResultStore } from './store/result.ts';
import { createPartStores } from './store/season-part-reads.ts';
import { createSeasonStore } from './store/season.ts';
import { createTeamStandings } from './store/team-standings.ts';

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
