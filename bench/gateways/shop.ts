/** A rewrite of the public gateways benchmark's graph: four areas in memory with few entities, each many times in the response. */
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse, type DocumentNode, type GraphQLSchema } from 'graphql';

interface ById {
  readonly id: string;
}

interface ByUpc {
  readonly upc: string;
}

interface Review extends ById {
  readonly body: string;
  readonly product: ByUpc;
}

const customers = ['Ada Okafor', 'Berit Lind', 'Chiara Neri', 'Dae Kim', 'Elif Demir', 'Femi Ojo'].map((name, index) => ({
  id: String(index + 1),
  name,
  username: name.toLowerCase().replace(' ', '.'),
  birthday: 700_000_000 + index * 10_000_000,
}));

const goods = ['Ball', 'Boots', 'Whistle', 'Net', 'Goal', 'Bench', 'Shirt', 'Trophy', 'Scoreboard'].map((name, index) => ({
  upc: String(index + 1),
  name,
  price: [899, 1299, 15, 499, 1299, 6999, 3999, 100_000, 9999][index] ?? 0,
  weight: [100, 1000, 20, 100, 1000, 300, 2000, 6000, 800][index] ?? 0,
  inStock: index % 3 !== 1,
}));

const words =
  'after a whole season of use this one still keeps its shape and colour and nobody in our squad would swap it for another';

/** Length of each review and the product it is about. Every customer has the first two. */
const reviewed: readonly (readonly [length: number, product: number])[] = [
  ...([446, 290, 285, 145] as const).map((length) => [length, 1] as const),
  ...([446, 290, 285, 145] as const).map((length) => [length, 2] as const),
  [145, 3],
  [145, 4],
  [870, 4],
];

const reviews: readonly Review[] = reviewed.map(([length, product], index) => ({
  id: String(index + 1),
  body: `${index + 1}: ${words} `.repeat(8).slice(0, length),
  product: { upc: String(product) },
}));

const author = { id: '1', username: customers[0]?.username, reviews: reviews.slice(0, 2) };

/** The same items in a rotated order: each number gives another response of the same size. */
function rotated<Item>(items: readonly Item[], from: number): Item[] {
  const start = from % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires", "@provides", "@shareable"])`;

export type ShopAreaName = 'accounts' | 'inventory' | 'products' | 'reviews';

interface ShopArea {
  readonly typeDefs: DocumentNode;
  readonly resolvers: object;
}

const areas: Readonly<Record<ShopAreaName, ShopArea>> = {
  accounts: {
    typeDefs: parse(`${link}
      type Query { me: User users(from: Int! = 0): [User] }
      type User @key(fields: "id") { id: ID! name: String username: String @shareable birthday: Int }`),
    resolvers: {
      Query: { me: () => customers[0], users: (_: unknown, { from }: { from: number }) => rotated(customers, from) },
      User: { __resolveReference: ({ id }: ById) => customers.find((customer) => customer.id === id) },
    },
  },
  inventory: {
    typeDefs: parse(`${link}
      type Product @key(fields: "upc") {
        upc: String! price: Int @external weight: Int @external
        inStock: Boolean shippingEstimate: Int @requires(fields: "price weight")
      }`),
    resolvers: {
      Product: {
        __resolveReference: (known: ByUpc) => ({ ...known, inStock: goods.find(({ upc }) => upc === known.upc)?.inStock }),
        shippingEstimate: ({ price, weight }: { price: number; weight: number }) => (price > 1000 ? 0 : Math.floor(weight / 2)),
      },
    },
  },
  products: {
    typeDefs: parse(`${link}
      type Query { topProducts(first: Int! = 5, from: Int! = 0): [Product] }
      type Product @key(fields: "upc") { upc: String! name: String price: Int weight: Int }`),
    resolvers: {
      Query: {
        topProducts: (_: unknown, { first, from }: { first: number; from: number }) => rotated(goods.slice(0, first), from),
      },
      Product: { __resolveReference: ({ upc }: ByUpc) => goods.find((product) => product.upc === upc) },
    },
  },
  reviews: {
    typeDefs: parse(`${link}
      type Review @key(fields: "id") { id: ID! body: String product: Product author: User @provides(fields: "username") }
      type User @key(fields: "id") { id: ID! username: String @external reviews: [Review] }
      type Product @key(fields: "upc") { upc: String! reviews: [Review] }`),
    resolvers: {
      Review: { __resolveReference: ({ id }: ById) => reviews.find((review) => review.id === id), author: () => author },
      User: { __resolveReference: ({ id }: ById) => ({ ...author, id }) },
      Product: {
        __resolveReference: ({ upc }: ByUpc) => ({ upc }),
        reviews: ({ upc }: ByUpc) => reviews.filter(({ product }) => product.upc === upc),
      },
    },
  },
};

export const shopAreas = Object.keys(areas) as ShopAreaName[];

/** The input of composition. */
export const shopTypeDefs = (name: ShopAreaName): DocumentNode => areas[name].typeDefs;

export function shopSchema(name: ShopAreaName): GraphQLSchema {
  const { typeDefs, resolvers } = areas[name];
  return buildSubgraphSchema({ typeDefs, resolvers: { ...resolvers } });
}
