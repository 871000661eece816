/** A small in-memory federation: three areas without a database, with every fetch recorded. */
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';
import { pino } from 'pino';
import { composeAreas } from '../../schema/build/compose.ts';
import { commonTypeDefs } from '../../schema/build/common.ts';
import { printForAudience } from '../../schema/build/print.ts';
import type { SubgraphClient, SubgraphRequest } from '../../schema/subgraph-client.ts';
import { createGraph } from '../../router/graph.ts';
import type { GraphOptions, RouterGraph } from '../../router/graph.ts';

type Resolvers = Record<string, unknown>;

const organizations = `
type Query {
  """Organizations."""
  organizations("How many." first: Int = 20 @range(min: 1, max: 100), "Tags." tags: [String!] @length(max: 2)): OrganizationConnection
  """One organization."""
  organization("Its id." id: ID!): Organization
  """Any named thing."""
  named: [Named!]
  """Either."""
  either: [Either!]
  """Overview for administrators."""
  overview: Overview @tag(name: "admin")
  """For areas."""
  facts("Which." id: ID!): Organization @tag(name: "internal")
  """Own things."""
  mine: [Organization!] @authenticated
}
type Mutation {
  """Creates one."""
  createOrganization("What." input: CreateOrganizationInput!): Organization @requiresScopes(scopes: [["organizations:write"]])
}
"""What to create."""
input CreateOrganizationInput {
  """Its name."""
  name: String! @length(min: 1, max: 10) @pattern(regex: "^[A-Z]")
}
"""For administrators."""
type Overview @tag(name: "admin") {
  """A number."""
  keys: Int!
}
"""Page."""
type OrganizationConnection {
  """Items."""
  nodes: [Organization!]!
}
"""Has a name."""
interface Named {
  """Name."""
  name: String!
  """Secret."""
  secret: String
}
"""Either of two."""
union Either = Organization | Person
"""A person."""
type Person implements Named {
  """Name."""
  name: String!
  """Not secret here."""
  secret: String
}
"""An organization."""
type Organization implements Named @key(fields: "id") {
  """Id."""
  id: ID!
  """Name."""
  name: String!
  """Secret."""
  secret: String @requiresScopes(scopes: [["moderation:write"]])
  """Kind."""
  sport: Sport
  """Athletes."""
  athletes: [Athlete!]!
}
type Athlete @key(fields: "ref") {
  ref: ID! @inaccessible
  """Where he is."""
  clubs: [Organization!]
}
`;

const athletes = `
type Query {
  """One athlete."""
  athlete("Its id." id: ID!): Athlete
}
"""An athlete."""
type Athlete @key(fields: "id") @key(fields: "ref") {
  """Id."""
  id: ID!
  ref: ID! @inaccessible
  """Name."""
  displayName: String!
  """Notes."""
  notes: String @requiresScopes(scopes: [["scouting:read"], ["moderation:write"]])
  """Where."""
  organization: Organization
}
type Organization @key(fields: "id") {
  id: ID!
  """How many athletes it has."""
  strength: Int
}
`;

const rows = [
  { __typename: 'Organization', id: '1', name: 'Alpha', secret: 's1', sport: 'FOOTBALL', athletes: [{ ref: 'a' }, { ref: 'b' }] },
  { __typename: 'Organization', id: '2', name: 'Beta', secret: 's2', sport: 'TENNIS', athletes: [{ ref: 'a' }] },
];
const people = ['a', 'b'].map((id) => ({
  id,
  ref: id,
  displayName: `Athlete ${id}`,
  notes: `notes ${id}`,
  organization: { id: '1' },
}));
const all = [...rows, { __typename: 'Person', name: 'Pia', secret: 'open' }];

const resolvers: Record<string, Resolvers> = {
  organizations: {
    Query: {
      organizations: (_: unknown, { first }: { first: number }) => ({ nodes: rows.slice(0, first) }),
      organization: (_: unknown, { id }: { id: string }) => rows.find((row) => row.id === id),
      facts: (_: unknown, { id }: { id: string }) => rows.find((row) => row.id === id),
      named: () => all,
      either: () => all,
      overview: () => ({ keys: 3 }),
      mine: () => rows,
    },
    Mutation: { createOrganization: (_: unknown, { input }: { input: { name: string } }) => ({ ...rows[0], name: input.name }) },
    Organization: { __resolveReference: ({ id }: { id: string }) => rows.find((row) => row.id === id) },
    Athlete: { clubs: ({ ref }: { ref: string }) => rows.filter(({ athletes: own }) => own.some((one) => one.ref === ref)) },
  },
  athletes: {
    Query: { athlete: (_: unknown, { id }: { id: string }) => people.find((one) => one.id === id) },
    Athlete: { __resolveReference: ({ id, ref }: { id?: string; ref?: string }) => people.find((one) => one.id === (id ?? ref)) },
    Organization: { strength: ({ id }: { id: string }) => rows.find((row) => row.id === id)?.athletes.length },
  },
};

const sdl: Record<string, string> = { organizations, athletes };

export interface SmallFederation {
  readonly graph: RouterGraph;
  /** Every request to an area, in order. */
  readonly fetches: (Omit<SubgraphRequest, 'area'> & { readonly area: string })[];
  /** Errors that areas throw instead of responding. */
  readonly broken: Map<string, Error>;
  /** What areas wait for before they respond. */
  readonly held: Map<string, Promise<unknown>>;
  readonly schemas: GraphOptions['schemas'];
}

export function createSmallFederation(options: Partial<GraphOptions> = {}): SmallFederation {
  const common = commonTypeDefs();
  const sources = Object.entries(sdl).map(([name, own]) => ({ name, own, typeDefs: `${common}\n${own}` }));
  const supergraphSdl = composeAreas(sources);
  const fetches: SmallFederation['fetches'] = [];
  const broken = new Map<string, Error>();
  const held = new Map<string, Promise<unknown>>();
  const clients = sources.map(({ name, typeDefs }): [string, SubgraphClient] => {
    const schema = buildSubgraphSchema({ typeDefs: parse(typeDefs), resolvers: resolvers[name] as never });
    return [
      name,
      {
        async query(request) {
          fetches.push({ ...request, area: name });
          await held.get(name);
          const fault = broken.get(name);
          if (fault !== undefined) throw fault;
          const result = await graphql({ schema, source: request.query, variableValues: request.variables });
          return {
            data: result.data ?? null,
            errors: result.errors?.map(({ message, path, extensions }) => ({ message, path, extensions })),
            extensions: { notes: { person: true } },
          };
        },
      },
    ];
  });
  const schemas = {
    public: printForAudience(supergraphSdl, 'api'),
    admin: printForAudience(supergraphSdl, 'admin'),
    portal: printForAudience(supergraphSdl, 'portal'),
    internal: printForAudience(supergraphSdl, 'internal'),
  };
  const graph = createGraph({
    supergraphSdl,
    schemas,
    subgraphs: Object.fromEntries(clients),
    log: pino({ level: 'silent' }),
    ...options,
  });
  return { graph, fetches, broken, held, schemas };
}
