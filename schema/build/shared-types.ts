/** The types every area may use: pages, money, foreign ids, verification and batches (api.md section 1). */
export const sharedTypes = `
"""Where a page ends, and how to ask for the next one."""
type PageInfo @shareable {
  """Send it as \`after\` to get the next page; null on the last page."""
  nextCursor: String
  """The cursor of the last item, also on the last page; null when the page is empty."""
  endCursor: String
  """True when there are more items after this page."""
  hasMore: Boolean!
  """The same as \`hasMore\`, by the name of the Relay specification."""
  hasNextPage: Boolean!
  """With \`updatedSince\`, on the last page: all that changed before this time has been told. Send it as \`updatedSince\` the next time."""
  updatedUntil: DateTime
}

"""A resource that is gone: a partner who synchronizes deletes his copy."""
type Tombstone @shareable {
  """The id of the resource that is gone."""
  id: ID!
  """Always true."""
  deleted: Boolean!
}

"""The answer to a deletion."""
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

"""The id of a resource in another system."""
type ExternalId @shareable {
  """The other system: WIKIDATA, FIFA_ID, or a scheme of your own."""
  scheme: String!
  """The id there."""
  value: String!
}

"""The id of a resource in another system."""
input ExternalIdInput {
  """The other system: WIKIDATA, FIFA_ID, or a scheme of your own."""
  scheme: String! @pattern(regex: "^[A-Z][A-Z0-9_]{1,39}$")
  """The id there."""
  value: String! @length(min: 1, max: 200)
}

"""How many of a list there are by a value of a filter."""
type FacetCount @shareable {
  """The value, as the filter takes it."""
  value: String!
  """How many, rounded down to tens; null when fewer than ten."""
  count: SafeInt
}

"""How far a moderator has verified a resource."""
enum VerificationStatus {
  """Nobody has asked for verification."""
  UNVERIFIED
  """A moderator is looking at it."""
  PENDING
  """A moderator has confirmed it."""
  VERIFIED
  """A moderator has refused it."""
  REJECTED
}

"""The moderator's word on a resource."""
type Verification @shareable {
  """How far verification has come."""
  status: VerificationStatus!
  """How it was verified: a document, a registry, a call."""
  method: String
  """When the status was last decided."""
  at: DateTime
}

"""What became of one item of a batch."""
enum BatchOutcome {
  """The item was new and is created."""
  CREATED
  """The resource existed and is changed."""
  UPDATED
  """The resource existed and is already as asked."""
  UNCHANGED
  """The item was refused; nothing of it is written."""
  FAILED
}

"""The answer to a batch: every item's outcome in the order sent, and the totals."""
type BatchAnswer @shareable {
  """One entry per item, in the order sent."""
  data: [BatchItem!]!
  """The totals."""
  summary: BatchSummary!
}

"""What became of one item of a batch."""
type BatchItem @shareable {
  """Position of the item in the batch, from 0."""
  index: Int!
  """What became of it."""
  outcome: BatchOutcome!
  """The id of the resource; null when the item failed."""
  id: ID
  """The version of the resource; null when the item failed."""
  version: Int
  """Why the item failed; null otherwise."""
  error: BatchError
}

"""Why an item of a batch failed."""
type BatchError @shareable {
  """The stable error code."""
  code: String!
  """What is wrong, for people."""
  detail: String!
  """Your resource that stands in the way, where one does: update that one."""
  existingId: ID
  """Every fault of the item, where it can be told apart."""
  errors: [BatchFault!]
}

"""One fault of an item of a batch."""
type BatchFault @shareable {
  """JSON pointer into the item."""
  pointer: String
  """The stable code of the fault."""
  code: String!
  """What is wrong, for people."""
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
  """Items refused."""
  failed: Int!
}
`;
