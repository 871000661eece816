/** The internal history types that every area serves, and the root field of each area. */
import type { Area } from './areas.ts';

export const historyTypes = `
"""A change of a resource of an area."""
type AreaHistoryEntry @shareable @tag(name: "internal") {
  """Opaque and stable."""
  id: ID!
  """Time of the change."""
  at: DateTime!
  """Type of the resource: \`athlete\`."""
  resourceType: String!
  """Id of the resource."""
  resourceId: ID!
  """Version of the resource after the change."""
  version: Int!
  """The action."""
  action: String!
  """The actor."""
  actor: AreaHistoryActor!
  """The reason, when one was given."""
  reason: String
  """The changed members; empty for deleted and erased resources."""
  changes: [AreaHistoryChange!]!
  """The athletes whose data the resource has or had, among other IDs of its members."""
  subjectIds: [ID!]!
}

"""The actor of a change."""
type AreaHistoryActor @shareable @tag(name: "internal") {
  """KEY, MEMBER, ADMINISTRATOR or SYSTEM."""
  kind: String!
  """The administrator."""
  administratorId: ID
  """The portal user."""
  userId: ID
  """Public id of the key."""
  keyId: String
  """The account of the key or member."""
  accountId: ID
  """Label of the network of the administrator or user."""
  address: String
}

"""A changed member, before and after as JSON; null when it had no value."""
type AreaHistoryChange @shareable @tag(name: "internal") {
  """Name of the member."""
  field: String!
  """Before, as JSON."""
  before: String
  """After, as JSON."""
  after: String
}

"""Filter of history entries. Without a resource or a key, only changes by administrators."""
input AreaHistoryFilter @tag(name: "internal") {
  """Include changes by the platform and its command line."""
  bySystem: Boolean
  """Changes by this administrator."""
  administratorId: ID
  """Changes by this portal user."""
  userId: ID
  """Changes by the key with this public id."""
  keyId: String
  """Changes of resources of this type."""
  resourceType: String
  """Changes of this resource by any actor."""
  resourceId: ID
  """Changes with this action."""
  action: String
  """Changes at or after this time."""
  from: DateTime
  """Changes before this time."""
  to: DateTime
}

"""A position in the history."""
input AreaHistoryPlace @tag(name: "internal") {
  """Time of the entry."""
  at: DateTime!
  """Id of the entry."""
  id: ID!
}
`;

/** Name of the history field of an area. */
export const historyField = (area: Area): `${Area}History` => `${area}History`;

/** SDL of the history field of an area. */
export const historyTypeDefs = (area: Area): string => `
extend type Query {
  "Changes of resources of this area, newest first, for the audit log."
  ${historyField(area)}(
    "Number of entries."
    first: Int! @range(min: 1, max: 101)
    "Entries before this position."
    before: AreaHistoryPlace
    "Filter."
    filter: AreaHistoryFilter
  ): [AreaHistoryEntry!] @tag(name: "internal")
}
`;
