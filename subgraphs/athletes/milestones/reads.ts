/** Reads the milestones of athletes: one statement and one fetch of competitions for any number of athletes. */
import { sql } from '../../../platform/database/database.ts';
import { visibleCompetitions } from '../../clients/competition-facts.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import { milestonesOf, type FirstDays, type Milestone } from './milestones.ts';

/** Creates the read by athlete. The caller has checked that the statistics of each athlete are visible to the viewer. */
export function createMilestoneReads({ database }: Pick<AreaServices, 'database'>) {
  const ofAthletes: BatchRead<string, Milestone[]> = async (ids, context) => {
    const { sport } = context.viewer;
    const ofSport = sport === null ? sql`true` : sql`sport = ${sport}`;
    const days = await database.query<FirstDays>(sql`/* milestones.ofAthletes */
      select athlete_id as "athleteId", sport, competition_id as "competitionId", min(as_of) as "firstMatch",
        min(as_of) filter (where metrics @? '$[*] ? (@.key == "goals" && @.value > 0)') as "firstGoal"
      from statistics where athlete_id = any(${[...ids]}::uuid[]) and scope = 'MATCH' and source = 'COMPUTED' and as_of is not null and ${ofSport}
      group by athlete_id, sport, competition_id`);
    const kinds = await visibleCompetitions(
      context,
      days.map(({ competitionId }) => competitionId),
    );
    const byAthlete = Map.groupBy(days, ({ athleteId }) => athleteId);
    return ids.map((id) => milestonesOf(byAthlete.get(id) ?? [], kinds));
  };

  return { ofAthletes };
}

export type MilestoneReads = ReturnType<typeof createMilestoneReads>;
