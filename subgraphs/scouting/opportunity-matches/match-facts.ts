/** The input of matches: athletes and opportunities as the viewer can read them, fetched from their areas in one query. */
import { graphql } from '../../clients/graphql.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { AthleteFacts, OpportunityFacts } from '../matching/facts.ts';

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
          metrics {
            key
            value
            percentile
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
    athletes: athletes.map(({ statistics, ...athlete }): AthleteFacts => ({ ...athlete, statistics: statistics.nodes })),
    opportunities,
  };
}
