/** The internal types and root fields with which each area reports its outbox, its consumers and their dead letters. */
import type { Area } from './areas.ts';

/** Most dead letters that one list or one retry names. */
export const deadLettersMax = 100;

export const eventDeliveryTypes = `
"""The outbox of an area, and its consumers."""
type AreaEventDelivery @shareable @tag(name: "internal") {
  """Last position of the area's events."""
  last: SafeInt!
  """Committed events without a position, at most 1,001 are counted."""
  unstamped: SafeInt!
  """The consumers."""
  consumers: [AreaEventConsumer!]!
}

"""A consumer of an area."""
type AreaEventConsumer @shareable @tag(name: "internal") {
  """Name, unique within the area."""
  name: String!
  """The area that publishes the events."""
  publishedBy: String!
  """Position of the last applied event; 0 before the first."""
  position: SafeInt!
  """Time of the last change of the position."""
  updatedAt: DateTime
  """Number of dead letters."""
  deadLetters: SafeInt!
}

"""An event that a consumer failed to apply."""
type AreaDeadLetter @shareable @tag(name: "internal") {
  """Id of the event."""
  id: ID!
  """Type of the event."""
  type: String!
  """Type of the resource."""
  resourceType: String!
  """Id of the resource."""
  resourceId: ID!
  """Version of the resource."""
  version: Int!
  """Position of the event."""
  position: SafeInt!
  """Time of the event."""
  at: DateTime!
  """Code or class of the last error."""
  error: String!
  """Number of failed attempts."""
  attempts: Int!
  """Time of the last failed attempt."""
  failedAt: DateTime!
  """Whether a retry was requested."""
  retryRequested: Boolean!
}
`;

/** Name of the field with the outbox and the consumers of an area. */
export const eventDeliveryField = (area: Area): `${Area}EventDelivery` => `${area}EventDelivery`;
/** Name of the field with the ages of an area's waiting events. */
export const waitingSecondsField = (area: Area): `${Area}WaitingSeconds` => `${area}WaitingSeconds`;
/** Name of the field with the dead letters of a consumer of an area. */
export const deadLettersField = (area: Area): `${Area}DeadLetters` => `${area}DeadLetters`;

/** SDL of the fields of an area. */
export const eventDeliveryTypeDefs = (area: Area): string => `
extend type Query {
  "The outbox of this area, and its consumers."
  ${eventDeliveryField(area)}: AreaEventDelivery @tag(name: "internal")
  "For each position, the age in seconds of the oldest event of this area after it; null if there is none."
  ${waitingSecondsField(area)}("Positions." after: [SafeInt!]! @length(max: ${deadLettersMax})): [Int] @tag(name: "internal")
  "Dead letters of a consumer of this area, newest first."
  ${deadLettersField(area)}(
    "Name of the consumer."
    consumer: String!
    "Number of dead letters."
    first: Int! @range(min: 1, max: ${deadLettersMax + 1})
    "Dead letters before this position."
    before: AreaHistoryPlace
    "Only these events."
    ids: [ID!] @length(max: ${deadLettersMax})
  ): [AreaDeadLetter!] @tag(name: "internal")
}
`;
