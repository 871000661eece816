/** Everything that a moderator needs for a decision on an athlete. */
import { graphql } from '../../graph/graphql.ts';

export const athleteQuery = graphql(`
  query ModeratedAthlete($id: ID!) {
    athlete(id: $id) {
      id
      status
      visibility
      restricted
      displayName
      givenName
      familyName
      knownAs
      names {
        language
        value
      }
      dateOfBirth
      birthYear
      age
      ageGroup
      sex
      nationalities
      residence {
        country
        region
        city
      }
      sports {
        sport
        discipline
        positions
        level
      }
      heightCm
      weightKg
      media {
        kind
        url
        title
      }
      createdAt
      updatedAt
      verification {
        status
        method
        at
      }
      externalIds {
        scheme
        value
      }
    }
    memberships(first: 20, filter: { athleteId: [$id], status: [ACTIVE, ON_LOAN, ENDED, INVITED, REQUESTED, DECLINED] }) {
      nodes {
        id
        status
        role
        startDate
        endDate
        organization {
          id
          name
        }
        team {
          name
        }
      }
      pageInfo {
        hasMore
      }
    }
    athleteConsents(athleteId: $id) {
      nodes {
        id
        createdAt
        scopes
        effective
        withdrawnAt
        guardian {
          name
          relationship
        }
        evidence {
          kind
          reference
        }
      }
    }
    reports(first: 10, filter: { subjectType: [ATHLETE], subjectId: [$id] }) {
      nodes {
        id
        createdAt
        category
        status
        text
        note
      }
    }
  }
`);
