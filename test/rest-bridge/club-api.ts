/** A small API of clubs: its GraphQL schema, and the annotated operations over it. */
import { buildSchema } from 'graphql';
import { readOperations } from '../../rest-bridge/operations/load-operations.ts';

export const schema = buildSchema(/* GraphQL */ `
  directive @range(min: Float, max: Float) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
  directive @pattern(regex: String!) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
  directive @length(min: Int, max: Int) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
  directive @requiresScopes(scopes: [[String!]!]!) on FIELD_DEFINITION

  scalar CountryCode
  scalar DateTime

  type Query {
    "Clubs by name."
    clubs(
      "How many on a page."
      first: Int! = 20 @range(min: 1, max: 100)
      after: String
      filter: ClubFilter
      sort: ClubSort! = CREATED_AT_DESC
    ): ClubConnection!
    "One club."
    club(id: ID!): Club
  }
  type Mutation {
    createClub(input: CreateClubInput!, idempotencyKey: String): Club! @requiresScopes(scopes: [["clubs:write"]])
    updateClub(id: ID!, input: UpdateClubInput!, ifMatch: String!): Club!
    closeClub(id: ID!, reason: String @length(min: 3)): Club!
    upsertClubs(items: [CreateClubInput!]! @length(min: 1, max: 500)): BatchAnswer!
  }
  input ClubFilter {
    q: String @length(min: 1, max: 100)
    country: [CountryCode!]
    kind: [Kind!]
    cityId: ID
    verified: Boolean
  }
  enum ClubSort {
    CREATED_AT_DESC
    NAME_ASC
  }
  enum Kind {
    PROFESSIONAL
    AMATEUR
  }
  input CreateClubInput {
    name: String! @length(min: 1, max: 20)
    country: CountryCode!
    kind: Kind
    founded: Int @range(min: 1800, max: 2100)
    colours: [String!]
    ground: GroundInput
  }
  input GroundInput {
    name: String!
    capacity: Int @range(min: 0)
  }
  input UpdateClubInput {
    name: String @length(min: 1, max: 20)
    country: CountryCode
    kind: Kind
  }
  type Club {
    id: ID!
    version: Int!
    name: String!
    country: CountryCode!
    kind: Kind
    founded: Int
    players: [Player!]
    status: String!
  }
  type Player {
    id: ID!
    name: String
  }
  type ClubConnection {
    nodes: [Club!]!
    pageInfo: PageInfo!
  }
  type PageInfo {
    nextCursor: String
    hasMore: Boolean!
  }
  enum BatchOutcome {
    CREATED
    UPDATED
    UNCHANGED
    FAILED
  }
  type BatchAnswer {
    data: [BatchItem!]!
    summary: BatchSummary!
  }
  type BatchItem {
    index: Int!
    outcome: BatchOutcome!
    id: ID
    version: Int
    error: BatchError
  }
  type BatchError {
    code: String!
    detail: String!
    errors: [BatchFault!]
  }
  type BatchFault {
    pointer: String
    code: String!
    detail: String!
  }
  type BatchSummary {
    created: Int!
    updated: Int!
    unchanged: Int!
    failed: Int!
  }
`);

export const source = /* GraphQL */ `
  fragment ClubCard on Club {
    id
    version
    name
    country
    kind
    status
  }

  query listClubs(
    $q: String
    $country: [CountryCode!]
    $kind: [Kind!]
    $cityId: ID
    $verified: Boolean
    $sort: ClubSort! = CREATED_AT_DESC
    $limit: Int! = 20
    $cursor: String
  ) @rest(path: "/clubs") {
    clubs(
      first: $limit
      after: $cursor
      sort: $sort
      filter: { q: $q, country: $country, kind: $kind, cityId: $cityId, verified: $verified }
    ) {
      data: nodes {
        ...ClubCard
        players @optional {
          id
          name
        }
      }
      page: pageInfo {
        nextCursor
        hasMore
      }
    }
  }
  "Reads one club."
  query getClub($id: ID!) @rest(path: "/clubs/{id}") {
    club(id: $id) {
      ...ClubCard
      founded
      players @optional {
        id
        name
      }
    }
  }
  mutation createClub($input: CreateClubInput!, $idempotencyKey: String) @rest(method: POST, path: "/clubs", status: 201) {
    createClub(input: $input, idempotencyKey: $idempotencyKey) {
      ...ClubCard
      founded
    }
  }
  mutation updateClub($id: ID!, $input: UpdateClubInput!, $ifMatch: String!) @rest(method: PATCH, path: "/clubs/{id}") {
    updateClub(id: $id, input: $input, ifMatch: $ifMatch) {
      ...ClubCard
      founded
    }
  }
  mutation closeClub($id: ID!, $reason: String) @rest(method: POST, path: "/clubs/{id}/close") {
    closeClub(id: $id, reason: $reason) {
      ...ClubCard
    }
  }
  mutation upsertClubs($items: [CreateClubInput!]!) @rest(method: POST, path: "/clubs/batch") {
    upsertClubs(items: $items) {
      data {
        index
        outcome
        id
        version
        error {
          code
          detail
          errors {
            pointer
            code
            detail
          }
        }
      }
      summary {
        created
        updated
        unchanged
        failed
      }
    }
  }
`;

export const operations = readOperations(schema, 1, new Map([['clubs.graphql', source]]));
