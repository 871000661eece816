/** The input of matches: athletes and opportunities as the viewer can read them, fetched from their areas in one query. */
import { graphql } from '../../clients/graphql.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { AthleteFacts, OpportunityFacts, StatisticsFacts } from '../matching/facts.ts';
import { fullMatches } from '../../runtime/full-matches.ts';

const query = graphql(`
  query matchFacts($athleteIds: [ID!]!, $opportunityIds: [ID!]!) {
    profiledAthletes(ids: $athleteIds) {
      id
      ageGroup
      dateOfBirth
      birthYear
      sex
      nationalities
      sports {
        sport
        discipline
        positions
        level
        yearsExperience
      }
      heightCm
      weightKg
      dominantFoot
      education {
        graduationYear
        gpa
        gpaScale
      }
      availability {
        openToOpportunities
        from
        types
        relocation
      }
      languages
      residence {
        country
      }
      statistics(first: 20) {
        nodes {
          scope
          sport
          eventCode
          source
          asOf
          matchesPlayed
          minutesPlayed
          metrics {
            key
            value
            percentile
            per90
            cohort {
              ageBand
              position
              level
              n
            }
          }
        }
      }
    }
    openOpportunities(ids: $opportunityIds) {
      id
      type
      sport
      disciplines
      positions
      sex
      ageRange {
        min
        max
        referenceDate
      }
      nationalities
      country
      startDate
      applicationDeadline
      requirements {
        metricKey
        attribute
        operator
        value
        mandatory
        weight
      }
      languages
      minorsAllowed
      academic {
        minGpa
        gpaScale
      }
      profile {
        positions
        ageRange {
          min
          max
          referenceDate
        }
        heightMinCm
        dominantFoot
        metrics {
          key
          value
        }
      }
      organization {
        level
      }
    }
  }
`);

interface ReadStatistics extends Omit<StatisticsFacts, 'matches' | 'metrics'> {
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  readonly metrics: readonly (StatisticsFacts['metrics'][number] & { readonly per90: number | null })[];
}

/** A season with its full matches, as scores count them. A value per 90 minutes exists if the minutes of every match are known. */
function statisticsOf({ matchesPlayed, minutesPlayed, metrics, ...row }: ReadStatistics): StatisticsFacts {
  const matchesTimed = metrics.some(({ per90 }) => per90 !== null) ? matchesPlayed : 0;
  const matches = fullMatches({ sport: row.sport, matchesPlayed, minutesPlayed, matchesTimed });
  return { ...row, matches, metrics };
}

/**
 * The athletes whose scores the viewer can read, and the visible opportunities that accept applications. All other ids are left out, like
 * unknown ids. Throws Problem if an area is unavailable.
 */
export async function fetchMatchFacts(
  { graph }: Pick<Context, 'graph'>,
  athleteIds: readonly string[],
  opportunityIds: readonly string[],
) {
  const data = await graph(query, { athleteIds: [...athleteIds], opportunityIds: [...opportunityIds] });
  const athletes = data.profiledAthletes ?? [];
  const opportunities: readonly OpportunityFacts[] = data.openOpportunities ?? [];
  return {
    athletes: athletes.map(({ statistics, ...athlete }): AthleteFacts => ({
      ...athlete,
      statistics: statistics.nodes.map(statisticsOf),
    })),
    opportunities,
  };
}
