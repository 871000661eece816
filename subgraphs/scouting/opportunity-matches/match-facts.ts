/** The input of matches: athletes and opportunities as the viewer can read them, fetched from their areas in one query. */
import type { Context } from '../../runtime/subgraph.ts';
import type { AthleteFacts, OpportunityFacts } from '../matching/facts.ts';

/** The selected fields of an athlete, without the residence and the statistics. */
export const profileFields = /* GraphQL */ `
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
`;

/** The selected fields of an opportunity, without the organization. */
export const opportunityFields = /* GraphQL */ `
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
`;

const query = /* GraphQL */ `
  query matchFacts($athleteIds: [ID!]!, $opportunityIds: [ID!]!) {
    profiledAthletes(ids: $athleteIds) {
      id
      ageGroup
      ${profileFields}
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
      ${opportunityFields}
      organization {
        level
      }
    }
  }
`;

type QueriedAthlete = Omit<AthleteFacts, 'statistics'> & { readonly statistics: { readonly nodes: AthleteFacts['statistics'] } };

/**
 * The athletes whose scores the viewer can read, and the visible opportunities that accept applications. All other ids are left out, like
 * unknown ids. Throws Problem if an area is unavailable.
 */
export async function fetchMatchFacts(
  { graph }: Pick<Context, 'graph'>,
  athleteIds: readonly string[],
  opportunityIds: readonly string[],
) {
  const data = await graph(query, { athleteIds, opportunityIds });
  // The members that the query above selects.
  const athletes = data['profiledAthletes'] as readonly QueriedAthlete[];
  return {
    athletes: athletes.map(({ statistics, ...athlete }): AthleteFacts => ({ ...athlete, statistics: statistics.nodes })),
    opportunities: data['openOpportunities'] as readonly OpportunityFacts[],
  };
}
