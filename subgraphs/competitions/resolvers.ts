/** Assembles the resolvers of the competitions area from those of its resources. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { adjustmentResolvers } from './adjustments/resolvers.ts';
import { athleteExportResolvers } from './athlete-exports/resolvers.ts';
import { bestMarkResolvers } from './best-marks/resolvers.ts';
import { bracketResolvers } from './brackets/resolvers.ts';
import { competitionResolvers } from './competitions/resolvers.ts';
import { contestResolvers } from './contests/resolvers.ts';
import { headToHeadResolvers } from './head-to-head/resolvers.ts';
import { matchActionResolvers } from './match-actions/resolvers.ts';
import { matchParticipantResolvers } from './match-participants/resolvers.ts';
import { matchResolvers } from './matches/resolvers.ts';
import { participantResolvers } from './participants/resolvers.ts';
import { participationResolvers } from './participations/resolvers.ts';
import { createReads, type Reads } from './reads.ts';
import { replayResolvers } from './replays/resolvers.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { resultResolvers } from './results/resolvers.ts';
import { rankingResolvers } from './season-rankings/resolvers.ts';
import { seasonResolvers } from './seasons/resolvers.ts';
import { sportResolvers } from './sports/resolvers.ts';
import { stageResolvers } from './stages/resolvers.ts';
import { tieBreakDecisionResolvers } from './tie-break-decisions/resolvers.ts';

type ResourceResolvers = (services: AreaServices, reads: Reads) => Resolvers;

const resources: readonly ResourceResolvers[] = [
  sportResolvers,
  competitionResolvers,
  seasonResolvers,
  contestResolvers,
  stageResolvers,
  participantResolvers,
  adjustmentResolvers,
  tieBreakDecisionResolvers,
  matchResolvers,
  matchParticipantResolvers,
  matchActionResolvers,
  participationResolvers,
  replayResolvers,
  resultResolvers,
  rankingResolvers,
  bracketResolvers,
  headToHeadResolvers,
  bestMarkResolvers,
  athleteExportResolvers,
];

/** One map of type → field → resolver. Several resources may add fields to the same type. */
export function areaResolvers(services: AreaServices): Readonly<Record<string, object>> {
  const reads = createReads(services);
  const merged: Record<string, object> = {};
  for (const resource of resources) {
    for (const [type, fields] of Object.entries(resource(services, reads))) Object.assign((merged[type] ??= {}), fields);
  }
  return merged;
}
