/** Supergraphs of interfaces, unions and interface objects. */
import type { AreaTexts } from '../areas.ts';
import { federation } from './federation.ts';

/** Interfaces and unions of entities and of values, in several areas. */
export const interfaces: AreaTexts = {
  shapes: `${federation}
    type Query {
      things(first: Int = 2, of: [Kind!]): [Thing]
      thing(id: ID!): Thing!
      either: Either
      eithers: [Either!]!
      owned: Owned
      round: Circle
    }
    enum Kind { ROUND EDGED }
    interface Thing { id: ID! label(long: Boolean = false): String }
    interface Owned { owner: Owner! note: String }
    union Either = Circle | Square | Note
    type Circle implements Thing & Owned @key(fields: "id") { id: ID! label(long: Boolean = false): String radius: Float! owner: Owner! note: String kind: Kind! next: Thing }
    type Square implements Thing & Owned @key(fields: "id") { id: ID! label(long: Boolean = false): String side: Int owner: Owner! note: String kind: Kind within: [Circle!] }
    type Note { text: String! about: Either at: Place }
    type Place { x: Int! y: Int }
    type Owner @key(fields: "id") { id: ID! favourite: Either }
  `,
  people: `${federation}
    type Query { owners: [Owner!] me: Owner! named: [Named] }
    interface Named { name: String! friends(first: Int): [Named!] }
    type Owner implements Named @key(fields: "id") { id: ID! name: String! friends(first: Int): [Named!] things: [Possession!] }
    type Pet implements Named { name: String! friends(first: Int): [Named!] owner: Owner }
    union Possession = Pet | Circle
    type Circle @key(fields: "id") { id: ID! holder: Owner! colour: Colour }
    type Square @key(fields: "id") { id: ID! holder: Owner price(currency: String! = "EUR"): Float! }
    enum Colour { RED GREEN }
  `,
};

/**
 * An entity interface that other areas know as an interface object. It has no @requires: the stock planner takes 20 s
 * for such a field in a fragment on an implementing type.
 */
export const interfaceObjects: AreaTexts = {
  media: `${federation}
    type Query { all: [Media!] one(id: ID!): Media book: Book work: Work }
    interface Media @key(fields: "id") { id: ID! title: String! }
    union Work = Book | Film
    type Book implements Media @key(fields: "id") { id: ID! title: String! pages: Int! sequel: Media }
    type Film implements Media @key(fields: "id") { id: ID! title: String! length: Int cast: [String!]! }
    type Game implements Media @key(fields: "id") { id: ID! title: String! players: Int! }
  `,
  reviews: `${federation}
    type Query { top(first: Int! = 2): [Media] worst: Media! reviews: [Review!]! }
    type Media @key(fields: "id") @interfaceObject { id: ID! stars(of: Int): Float reviews: [Review!]! best: Review }
    type Review @key(fields: "id") { id: ID! text: String media: Media! others: [Media!] }
  `,
  shops: `${federation}
    type Query { offers: [Offer] }
    type Media @key(fields: "id") @interfaceObject { id: ID! price: Int! soldWith: [Media] }
    type Offer { media: Media cheapest: Media! }
  `,
};
