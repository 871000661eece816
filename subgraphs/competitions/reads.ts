/** Creates the reads of all resources once: a batch read is identified by its function. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { createPersonalBests } from './best-marks/personal-bests.ts';
import { createBracketReads } from './brackets/reads.ts';
import { createCompetitionReads } from './competitions/reads.ts';
import { createMatchActionReads } from './match-actions/reads.ts';
import { createEntryReads } from './match-participants/reads.ts';
import { createMatchReads } from './matches/reads.ts';
import { createReplayReads } from './replays/reads.ts';
import { createResultReads } from './results/reads.ts';
import { createPartReads } from './season-parts/part-reads.ts';
import { createRankingReads } from './season-rankings/reads.ts';
import { createTeamStandings } from './season-rankings/team-standings.ts';
import { createSeasonReads } from './seasons/reads.ts';
import { createWinnerReads } from './seasons/winners.ts';

export function createReads(services: AreaServices) {
  const competitions = createCompetitionReads(services);
  const seasons = createSeasonReads(services);
  const matches = createMatchReads(services);
  const parts = createPartReads(services, seasons);
  const brackets = createBracketReads(services, seasons);
  return {
    competitions,
    seasons,
    matches,
    entries: createEntryReads(services),
    actions: createMatchActionReads(services, matches),
    replays: createReplayReads(services),
    results: createResultReads(services),
    ...parts,
    rankings: createRankingReads(services, competitions),
    brackets,
    winners: createWinnerReads(services.database, brackets, parts.participants.byId),
    personalBests: createPersonalBests(services),
    teamStandings: createTeamStandings(services),
  };
}

export type Reads = ReturnType<typeof createReads>;
