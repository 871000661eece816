/** Everything that a moderator needs for a decision on an organization. */
import { graphql } from '../../graph/graphql.ts';

export const organizationQuery = graphql(`
  query ModeratedOrganization($id: ID!) {
    organization(id: $id) {
      id
      status
      type
      name
      legalName
      shortName
      aliases
      country
      region
      city
      website
      logoUrl
      emailDomain
      foundedYear
      sports
      level
      licenceNumber
      licenceBody
      licenceExpiresAt
      createdAt
      updatedAt
      contact {
        name
        email
        phone
      }
      safeguarding {
        policyUrl
        officerName
      }
      parentOrganization {
        id
        name
      }
      verification {
        status
        method
        at
      }
      externalIds {
        scheme
        value
      }
      teams(first: 20) {
        nodes {
          id
          name
          sport
        }
      }
    }
    memberships(first: 20, filter: { organizationId: [$id], status: [ACTIVE, ON_LOAN, ENDED, INVITED, REQUESTED, DECLINED] }) {
      nodes {
        id
        status
        role
        startDate
        endDate
        personName
        athlete {
          id
          displayName
        }
        team {
          name
        }
      }
      pageInfo {
        hasMore
      }
    }
    verificationRequests(first: 10, filter: { organizationId: $id }) {
      nodes {
        id
        createdAt
        status
        note
        links
        reason
        requestedBy
        account {
          id
          name
        }
      }
    }
    reports(first: 10, filter: { subjectType: [ORGANIZATION], subjectId: [$id] }) {
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
