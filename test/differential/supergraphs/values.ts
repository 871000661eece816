/** Supergraphs with nested lists, inaccessible elements, and mutations. */
import type { AreaTexts } from '../areas.ts';
import { federation } from './federation.ts';

/** Nested lists of entities and of values, nullable at every depth or at none. */
export const lists: AreaTexts = {
  grids: `${federation}
    type Query { grid: Grid! grids: [[Grid]] matrix(of: [[Int!]]): [[Int]!] cube: [[[Cell!]!]!] }
    type Grid @key(fields: "id") { id: ID! rows: [[Cell]] strict: [[Cell!]!]! names: [[String!]]! any: [[Content]] levels: [[Level]] }
    type Cell @key(fields: "id") { id: ID! at: Point! around: [[Cell!]] }
    type Point { x: Int! y: Int! path: [[Float]] }
    union Content = Cell | Point
    enum Level { LOW HIGH }
  `,
  contents: `${federation}
    type Query { cells: [[Cell!]!] }
    type Cell @key(fields: "id") { id: ID! value: String! tags: [[String]!] grid: Grid owners: [[Owner]!]! level: [Level!] }
    type Grid @key(fields: "id") { id: ID! title: String! cells: [[Cell]] }
    type Owner { name: String! home: [[Grid!]] }
    enum Level { LOW HIGH }
  `,
};

/** Inaccessible types, fields, enum values, union members and arguments. */
export const hidden: AreaTexts = {
  open: `${federation}
    type Query { animals: [Animal] any: [Any!] one: Any! cat: Cat mood: Mood moods: [Mood!] secret: Hidden @inaccessible }
    interface Animal { name: String! mood: Mood friend: Animal }
    type Cat implements Animal @key(fields: "id") @key(fields: "ref") { id: ID! ref: ID! @inaccessible name: String! mood: Mood friend: Animal lives(spare: Int @inaccessible, of: Int): Int! }
    type Dog implements Animal @key(fields: "ref") { ref: ID! @inaccessible name: String! @shareable mood: Mood friend: Animal chip: String @inaccessible }
    type Hidden implements Animal @inaccessible @key(fields: "id") { id: ID! name: String! mood: Mood friend: Animal }
    union Any = Cat | Dog | Hidden | Stone
    type Stone { weight: Int! mood: [Mood!]! }
    enum Mood { GOOD BAD @inaccessible SLEEPY }
  `,
  behind: `${federation}
    type Query { strays: [Animal!] dog: Dog! }
    interface Animal { name: String! }
    type Dog implements Animal @key(fields: "ref") { ref: ID! @inaccessible name: String! @shareable barks: [Mood] master: Master enemy: Cat }
    type Cat @key(fields: "ref") { ref: ID! @inaccessible sleeps: Mood! owner: Master hates: Any }
    type Master @key(fields: "id") { id: ID! name: String! pets: [Any] secret: String @inaccessible }
    union Any = Cat | Dog
    enum Mood { GOOD BAD @inaccessible SLEEPY }
  `,
};

/** Mutations of two areas in sequence, with reads of their results. */
export const mutations: AreaTexts = {
  notes: `${federation}
    type Query { notes: [Note!] }
    type Mutation { write(input: NoteInput!): Note erase(id: ID!): Boolean! mark(ids: [ID!]!, as: Mark = DONE): [Note]! }
    input NoteInput { text: String! tags: [String!] parent: NoteInput mark: Mark = OPEN }
    enum Mark { OPEN DONE }
    type Note @key(fields: "id") { id: ID! text: String! mark: Mark author: Author! }
    type Author @key(fields: "id") { id: ID! notes(marked: Mark): [Note!] }
  `,
  people: `${federation}
    type Query { authors: [Author] }
    type Mutation { rename(id: ID!, name: String): Author invite(names: [String]): [Author!] block: Author! }
    type Author @key(fields: "id") { id: ID! name: String! friends: [Author!] }
    type Note @key(fields: "id") { id: ID! readers: [Author] }
  `,
};
