/** The reads of all resources of the athletes area. Resolvers of a resource may read other resources. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { createAbsenceReads, type AbsenceReads } from './absences/reads.ts';
import { createAthleteReads, type AthleteReads } from './athletes/reads.ts';
import { createConsentReads, type ConsentReads } from './consents/reads.ts';
import { createMilestoneReads, type MilestoneReads } from './milestones/reads.ts';
import { createStatisticsReads, type StatisticsReads } from './statistics/reads.ts';

export interface Reads {
  readonly absences: AbsenceReads;
  readonly athletes: AthleteReads;
  readonly consents: ConsentReads;
  readonly milestones: MilestoneReads;
  readonly statistics: StatisticsReads;
}

export function createReads(services: AreaServices): Reads {
  const athletes = createAthleteReads(services);
  return {
    absences: createAbsenceReads(services, athletes),
    athletes,
    consents: createConsentReads(services),
    milestones: createMilestoneReads(services),
    statistics: createStatisticsReads(services, athletes),
  };
}
