/** A door over a small graph in memory, executed by graphql-js: what the bridge needs of a router, without keys and quotas. */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { buildSchema, execute, parse } from 'graphql';
import type { Caller, Door, DoorAnswer, Notes } from '../../schema/door.ts';
import { Problem } from '../../schema/errors.ts';
import { createBridge } from '../../rest-bridge/bridge.ts';
import type { BridgeOptions } from '../../rest-bridge/bridge.ts';
import { documentsOf, readOperations } from '../../rest-bridge/operations.ts';

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

interface Club {
  id: string;
  version: number;
  name: string;
  country: string;
  kind: string | null;
  founded: number | null;
  status: string;
}

/** A running bridge, and what reached its door. */
export interface ClubWorld {
  readonly app: FastifyInstance;
  readonly clubs: Club[];
  readonly asked: { operation: string | null; variables: Readonly<Record<string, unknown>>; caller: Caller }[];
  readonly settled: number[];
  /** What areas would note with the next answers. */
  notes: Notes;
  /** An error the area of players answers with; the club itself is still there. */
  playersFault: Problem | Error | null;
  create(name: string): Club;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function clubWorld(options: Partial<BridgeOptions> = {}): Promise<ClubWorld> {
  const documents = new Map([...documentsOf(options.operations ?? operations)].map(([id, text]) => [id, parse(text)]));
  const app = Fastify();
  const world: ClubWorld = {
    app,
    clubs: [],
    asked: [],
    settled: [],
    notes: {},
    playersFault: null,
    create(name) {
      const club = { id: randomUUID(), version: 1, name, country: 'DE', kind: null, founded: null, status: 'ACTIVE' };
      world.clubs.push(club);
      return club;
    },
    [Symbol.asyncDispose]: () => app.close(),
  };

  const door: Door = {
    async execute({ operation, variables, caller }) {
      world.asked.push({ operation, variables, caller });
      const answer = (rest: Partial<DoorAnswer>): DoorAnswer => ({
        data: null,
        errors: [],
        headers: { ratelimit: '"day";r=9;t=1' },
        keyed: caller.credentials.length > 0,
        notes: world.notes,
        settle: ({ status }) => void world.settled.push(status),
        ...rest,
      });
      if (caller.credentials.includes('wrong')) {
        return answer({
          headers: { 'www-authenticate': 'Bearer' },
          errors: [{ message: 'This is no key of ours.', extensions: { code: 'api_key_invalid' } }],
        });
      }
      if (operation === null) return answer({});
      const document = documents.get(operation);
      if (!document) throw new Error(`No document ${operation}`);
      const result = await execute({ schema, document, rootValue: resolvers(world), variableValues: variables });
      return answer({
        data: result.data ?? null,
        errors: (result.errors ?? []).map(({ message, path, extensions }) => ({
          message,
          ...(path ? { path } : {}),
          extensions: { code: 'unexpected', ...extensions },
        })),
      });
    },
  };
  await app.register(createBridge({ door, apiSchema: schema, operations, publicUrl: 'https://api.example.com', ...options }));
  return world;
}

type Input = Partial<Pick<Club, 'name' | 'country' | 'kind' | 'founded'>>;

function resolvers(world: ClubWorld) {
  const find = (id: string): Club => {
    const club = world.clubs.find((candidate) => candidate.id === id);
    if (!club) throw new Problem('not_found', 'There is no such club.');
    return club;
  };
  const shown = (club: Club) => ({
    ...club,
    players: () => {
      if (world.playersFault) throw world.playersFault;
      return [];
    },
  });
  return {
    clubs: ({ first, after, sort }: { first: number; after?: string; sort: string }) => {
      const start = after === undefined ? 0 : Number(after);
      if (Number.isNaN(start))
        throw new Problem('cursor_invalid', 'The cursor is not ours.', {
          errors: [{ parameter: 'after', code: 'cursor_invalid', detail: 'is not a cursor of this list' }],
        });
      const sorted = sort === 'NAME_ASC' ? world.clubs.toSorted((a, b) => a.name.localeCompare(b.name)) : world.clubs;
      const hasMore = start + first < sorted.length;
      return {
        nodes: sorted.slice(start, start + first).map(shown),
        pageInfo: { hasMore, nextCursor: hasMore ? String(start + first) : null },
      };
    },
    club: ({ id }: { id: string }) => {
      const club = world.clubs.find((candidate) => candidate.id === id);
      return club ? shown(club) : null;
    },
    createClub: ({ input }: { input: Input }) => Object.assign(world.create(input.name ?? ''), input),
    updateClub: ({ id, input, ifMatch }: { id: string; input: Input; ifMatch: string }) => {
      const club = find(id);
      if (ifMatch !== '*' && !ifMatch.startsWith(`"${club.version}`))
        throw new Problem('precondition_failed', 'Another version.', { version: club.version });
      return Object.assign(club, input, { version: club.version + 1 });
    },
    closeClub: ({ id }: { id: string }) => {
      const club = find(id);
      if (club.status === 'CLOSED') throw new Problem('invalid_transition', 'The club is closed.', { allowedTransitions: [] });
      return Object.assign(club, { status: 'CLOSED', version: club.version + 1 });
    },
    upsertClubs: ({ items }: { items: Input[] }) => ({
      data: items.map((item, index) => {
        const { id, version } = world.create(item.name ?? '');
        return { index, outcome: 'CREATED', id, version, error: null };
      }),
      summary: { created: items.length, updated: 0, unchanged: 0, failed: 0 },
    }),
  };
}
