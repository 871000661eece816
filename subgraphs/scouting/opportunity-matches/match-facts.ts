/** Athletes and opportunities as a viewer sees them, asked of their areas in one call: what a match of them is computed from. */
import type { Context } from '../../runtime/subgraph.ts';
import type { AthleteFacts, OpportunityFacts } from '../matching/facts.ts';

/** What is asked of an athlete, but for where he lives and his numbers. */
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

/** What is asked of an opportunity, but for its organization. */
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

type Profiled = Omit<AthleteFacts, 'statistics'> & { readonly statistics: { readonly nodes: AthleteFacts['statistics'] } };

/**
 * Those of the athletes whom the viewer may be told scores of, and those of the opportunities that he sees and that take
 * applications; others are left out, as unknown ids are. Throws Problem when an area does not answer.
 */
export async function fetchMatchFacts(
  { graph }: Pick<Context, 'graph'>,
  athleteIds: readonly string[],
  opportunityIds: readonly string[],
) {
  const data = await graph(query, { athleteIds, opportunityIds });
  const athletes = data['profiledAthletes'] as readonly Profiled[];
  return {
    athletes: athletes.map(({ statistics, ...athlete }): AthleteFacts => ({ ...athlete, statistics: statistics.nodes })),
    opportunities: data['openOpportunities'] as readonly OpportunityFacts[],
  };
}
