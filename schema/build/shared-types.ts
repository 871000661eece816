/** The types that all areas share: pages, money, external ids, verification and batches. */
export const sharedTypes = `
"""The position of a page in its list, and the cursor of the next page."""
type PageInfo @shareable {
  """Cursor of the next page; null on the last page."""
  nextCursor: String
  """The cursor of the first item; null when the page is empty."""
  startCursor: String
  """The cursor of the last item, also on the last page; null when the page is empty."""
  endCursor: String
  """Whether more items follow this page."""
  hasMore: Boolean!
  """Same as \`hasMore\`; the name of the Relay specification."""
  hasNextPage: Boolean!
  """Whether items precede this page: true for a page after a cursor. Lists are read forwards only; there is no \`before\`."""
  hasPreviousPage: Boolean!
  """On the last page of a list with \`updatedSince\`: all changes before this time have been returned. Use it as the next \`updatedSince\`."""
  updatedUntil: DateTime
}

"""A resource that was deleted or is no longer visible: delete your copy."""
type Tombstone @shareable {
  """The id of the deleted resource."""
  id: ID!
  """Always true."""
  deleted: Boolean!
}

"""The response to a deletion."""
type Deleted @shareable {
  """The id of the deleted resource."""
  id: ID!
  """Always true."""
  deleted: Boolean!
}

"""An amount of money in the minor unit of its currency (cents, pence)."""
type Money @shareable {
  """The amount in minor units: 1999 is 19.99 EUR."""
  amountMinor: SafeInt!
  """ISO 4217 code of the currency."""
  currency: String!
}

"""An amount of money in the minor unit of its currency (cents, pence)."""
input MoneyInput {
  """The amount in minor units: 1999 is 19.99 EUR."""
  amountMinor: SafeInt! @range(min: 0)
  """ISO 4217 code of the currency."""
  currency: String! @pattern(regex: "^[A-Z]{3}$")
}

"""A name in a language and script."""
type LocalizedName @shareable {
  """Language, with the script where it matters, such as sr-Latn."""
  language: Language!
  """The name."""
  value: String!
}

"""A name in a language and script."""
input LocalizedNameInput {
  """Language, with the script where it matters, such as sr-Latn."""
  language: Language!
  """The name."""
  value: String! @length(min: 1, max: 200)
}

"""A place on the earth (WGS 84)."""
type Coordinates @shareable {
  """Latitude in degrees, north is positive."""
  latitude: Float!
  """Longitude in degrees, east is positive."""
  longitude: Float!
}

"""A place on the earth (WGS 84)."""
input CoordinatesInput {
  """Latitude in degrees, north is positive."""
  latitude: Float! @range(min: -90, max: 90)
  """Longitude in degrees, east is positive."""
  longitude: Float! @range(min: -180, max: 180)
}

"""The id of a resource in another system."""
type ExternalId @shareable {
  """The other system: WIKIDATA, FIFA_ID, or your own scheme."""
  scheme: String!
  """The id in the other system."""
  value: String!
}

"""The id of a resource in another system."""
input ExternalIdInput {
  """The other system: WIKIDATA, FIFA_ID, or your own scheme."""
  scheme: String! @pattern(regex: "^[A-Z][A-Z0-9_]{1,39}$")
  """The id in the other system."""
  value: String! @length(min: 1, max: 200)
}

"""The number of list items for a filter value."""
type FacetCount @shareable {
  """The filter value."""
  value: String!
  """The number of items, rounded down to a multiple of ten; null below ten."""
  count: SafeInt
}

"""The verification status of a resource."""
enum VerificationStatus {
  """Verification was not requested."""
  UNVERIFIED
  """A moderator is reviewing the resource."""
  PENDING
  """A moderator verified the resource."""
  VERIFIED
  """A moderator rejected the resource."""
  REJECTED
}

"""The verification of a resource by a moderator."""
type Verification @shareable {
  """The verification status."""
  status: VerificationStatus!
  """The method of verification: a document, a registry, a call."""
  method: String
  """Time of the last decision."""
  at: DateTime
}

"""The outcome of a batch item."""
enum BatchOutcome {
  """The item created a resource."""
  CREATED
  """The item changed an existing resource."""
  UPDATED
  """The existing resource already had all values of the item."""
  UNCHANGED
  """The item was rejected; nothing was written."""
  FAILED
}

"""The response to a batch: the outcome of every item in the order sent, and the totals."""
type BatchAnswer @shareable {
  """One entry per item, in the order sent."""
  data: [BatchItem!]!
  """The totals."""
  summary: BatchSummary!
}

"""The outcome of a batch item."""
type BatchItem @shareable {
  """Position of the item in the batch, from 0."""
  index: Int!
  """The outcome."""
  outcome: BatchOutcome!
  """The id of the resource; null when the item failed."""
  id: ID
  """The version of the resource; null when the item failed."""
  version: Int
  """The error of a failed item; null otherwise."""
  error: BatchError
}

"""The error of a batch item."""
type BatchError @shareable {
  """The stable error code."""
  code: String!
  """A readable description of the error."""
  detail: String!
  """The id of your existing resource that conflicts with the item; update that resource instead."""
  existingId: ID
  """The violations of the item."""
  errors: [BatchFault!]
}

"""A violation of a batch item."""
type BatchFault @shareable {
  """JSON pointer into the item."""
  pointer: String
  """The stable code of the violation."""
  code: String!
  """A readable description of the error."""
  detail: String!
}

"""The totals of a batch."""
type BatchSummary @shareable {
  """Items created."""
  created: Int!
  """Items that changed a resource."""
  updated: Int!
  """Items that changed nothing."""
  unchanged: Int!
  """Items rejected."""
  failed: Int!
}
`;
