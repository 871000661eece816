/** The root fields that the router answers without an area. They are not in the supergraph: its planner never receives them. */

/** Names of the fields; no area declares a field with one of them. */
export const routerFields: ReadonlySet<string> = new Set(['rateLimit', 'documentChecks']);

/** Types that only these fields return. */
export const routerTypes: ReadonlySet<string> = new Set(['RateLimit', 'RateLimitWindow', 'DocumentCheck', 'DocumentError']);

/** Added to the schemas that are printed from the supergraph of the platform. */
export const routerTypeDefs = `
extend type Query {
  """The cost of this operation and the state of your quota after it was charged. Null for administrators, who have no quota."""
  rateLimit: RateLimit

  """Whether the router would run documents, in their order."""
  documentChecks(
    """Texts of the documents."""
    texts: [String!]! @length(min: 1, max: 20)
  ): [DocumentCheck!] @tag(name: "internal")
}

"""The cost of an operation and the quota of the caller. Of the day and the month, \`limit\`, \`used\`, \`remaining\` and \`resetAt\` describe the one with the smaller share left, as the header X-RateLimit-Remaining does."""
type RateLimit {
  """Units of the daily and monthly quota that this operation was charged."""
  cost: Int!
  """Estimated points of this operation; every 100 points started are one unit."""
  points: Int!
  """Code of the pricing plan."""
  plan: String!
  """Maximum number of units in the window."""
  limit: SafeInt!
  """Units used in the window."""
  used: SafeInt!
  """Units left in the window."""
  remaining: SafeInt!
  """Time at which the window resets."""
  resetAt: DateTime!
  """The minute, of which each request uses one unit, whatever it costs."""
  burst: RateLimitWindow!
  """The calendar day (UTC)."""
  day: RateLimitWindow!
  """The calendar month (UTC)."""
  month: RateLimitWindow!
}

"""The state of one window of a quota."""
type RateLimitWindow {
  """Maximum number of units in the window."""
  limit: SafeInt!
  """Units used in the window."""
  used: SafeInt!
  """Units left in the window."""
  remaining: SafeInt!
  """Time at which the window resets. The burst refills continuously: time at which the next request is admitted."""
  resetAt: DateTime!
}

"""The result of the check of a document."""
type DocumentCheck @tag(name: "internal") {
  """Name of the operation; null for an anonymous operation or an invalid document."""
  operationName: String
  """Why the router would not run the document; null for a valid document."""
  error: DocumentError
}

"""Why a document is rejected."""
type DocumentError @tag(name: "internal") {
  """The error code."""
  code: String!
  """What to change."""
  detail: String!
  """The violations of the schema, with their places."""
  violations: [String!]!
}
`;
