/** What every area tells of its history, to the areas alone: the types, and the root field of an area. */
import type { Area } from './areas.ts';

export const historyTypes = `
"""What was done to a resource of an area."""
type AreaHistoryEntry @shareable @tag(name: "internal") {
  """Opaque and stable."""
  id: ID!
  """When."""
  at: DateTime!
  """Kind of what it was done to: \`athlete\`."""
  resourceType: String!
  """Id of what it was done to."""
  resourceId: ID!
  """Its version from then on."""
  version: Int!
  """What was done."""
  action: String!
  """Who did it."""
  actor: AreaHistoryActor!
  """Why, as it was told."""
  reason: String
  """What changed; nothing of what is deleted or erased."""
  changes: [AreaHistoryChange!]!
}

"""Who did something."""
type AreaHistoryActor @shareable @tag(name: "internal") {
  """KEY, ADMINISTRATOR or SYSTEM."""
  kind: String!
  """The administrator."""
  administratorId: ID
  """Public id of the key."""
  keyId: String
  """The account of the key."""
  accountId: ID
  """Address of the administrator."""
  address: String
}

"""A member that changed, before and after as JSON; null where there was nothing."""
type AreaHistoryChange @shareable @tag(name: "internal") {
  """Its name."""
  field: String!
  """Before, as JSON."""
  before: String
  """After, as JSON."""
  after: String
}

"""Which entries. Without a resource or a key: what administrators did."""
input AreaHistoryFilter @tag(name: "internal") {
  """Also what the platform itself did, and its command line."""
  bySystem: Boolean
  """By this administrator."""
  administratorId: ID
  """By the key with this public id."""
  keyId: String
  """To resources of this kind."""
  resourceType: String
  """To this resource, whoever did it."""
  resourceId: ID
  """What was done."""
  action: String
  """At this time or later."""
  from: DateTime
  """Before this time."""
  to: DateTime
}

"""A place in history."""
input AreaHistoryPlace @tag(name: "internal") {
  """When."""
  at: DateTime!
  """The entry."""
  id: ID!
}
`;

/** Name of the root field of an area. */
export const historyField = (area: Area): `${Area}History` => `${area}History`;

/** The SDL of an area's root field. */
export const historyTypeDefs = (area: Area): string => `
extend type Query {
  "What was done to resources of this area, the latest first, for the audit log."
  ${historyField(area)}(
    "How many."
    first: Int! @range(min: 1, max: 101)
    "Those before this one."
    before: AreaHistoryPlace
    "Which."
    filter: AreaHistoryFilter
  ): [AreaHistoryEntry!] @tag(name: "internal")
}
`;
