/** Supergraphs of entities with @requires, @provides, shared and moved fields, and several keys. */
import type { AreaTexts } from '../areas.ts';
import { federation } from './federation.ts';

/** The graph of the public federation gateway benchmark, with all its @requires and @provides. */
export const requiring: AreaTexts = {
  accounts: `${federation}
    type Query { me: User user(id: ID!): User users: [User] }
    type User @key(fields: "id") { id: ID! name: String username: String @shareable birthday: Int address: Address @shareable }
    type Address @shareable { city: String! zip: Int }
  `,
  inventory: `${federation}
    type Product @key(fields: "upc") {
      upc: String!
      weight: Int @external
      price: Int @external
      size: Size @external
      inStock: Boolean
      shippingEstimate: Int @requires(fields: "price weight")
      box: String! @requires(fields: "size { wide high } weight")
      late: Float @requires(fields: "price")
    }
    type Size { wide: Int! @external high: Int @external }
  `,
  products: `${federation}
    type Query { topProducts(first: Int = 5): [Product] product(upc: String!): Product! }
    type Product @key(fields: "upc") { upc: String! name: String price: Int weight: Int size: Size brand: Brand! }
    type Size { wide: Int! high: Int }
    type Brand @key(fields: "id") { id: ID! name: String! products(first: Int): [Product!] }
  `,
  reviews: `${federation}
    type Query { latest: [Review!] }
    type Review @key(fields: "id") {
      id: ID! body: String product: Product author: User @provides(fields: "username address { city }")
      anonymous: User
    }
    type User @key(fields: "id") {
      id: ID!
      username: String @external
      address: Address @external
      reviews: [Review]
      signature: String! @requires(fields: "username")
    }
    type Address { city: String! @external }
    type Product @key(fields: "upc") {
      upc: String! reviews: [Review] brand: Brand! @external inStock: Boolean @external
      summary(words: Int! = 3): String
      slogan: String @requires(fields: "brand { name }")
      hurry: Boolean! @requires(fields: "inStock")
    }
    type Brand @key(fields: "id") { id: ID! name: String! @external mood: String }
  `,
};

/** Shared fields, moved fields, and entities with several keys. */
export const shared: AreaTexts = {
  catalogue: `${federation}
    type Query { items: [Item!]! item(sku: String!): Item store: Store @shareable }
    type Item @key(fields: "id") @key(fields: "sku") { id: ID! sku: String! title: String @shareable size: Size @shareable tax: Int store: Store! parts: [Item!] }
    type Size @shareable { wide: Int! high: Int unit: Unit! }
    enum Unit { CM INCH }
    type Store @key(fields: "id region { code }") { id: ID! region: Region! name: String! }
    type Region @shareable { code: ID! label: String }
  `,
  stock: `${federation}
    type Query { counted: [Item] store: Store @shareable }
    type Item @key(fields: "sku") { sku: String! size: Size @shareable count: Int! tax: Int @override(from: "catalogue") places: [Place!]! }
    type Size @shareable { wide: Int! high: Int unit: Unit! }
    enum Unit { CM INCH }
    type Place { store: Store shelf: [Int!] }
    type Store @key(fields: "id region { code }") { id: ID! region: Region! open: Boolean keeper: Person }
    type Region @shareable { code: ID! label: String }
    type Person @key(fields: "id") { id: ID! items: [Item] }
  `,
  sales: `${federation}
    type Query { best(of: Int!): Item sold: [Item!] }
    type Item @key(fields: "id") { id: ID! title: String @shareable sales(year: Int): [Sale] related: [Item] rival: Item }
    type Sale { item: Item! buyer: Person price: Float! }
    type Person @key(fields: "id") { id: ID! name: String! bought: [Item!] friend: Person }
  `,
};
