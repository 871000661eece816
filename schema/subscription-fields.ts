/** The subscriptions of the public API. They are not in the supergraph: the router runs a query of the areas for each update. */
export const subscriptionTypeDefs = `
"""Updates over Server-Sent Events at \`/graphql/stream\` and over WebSocket at \`/graphql/ws\`. An operation has one root field."""
type Subscription {
  """The match: its current state first, then its state after each change of the match, its actions and its result."""
  matchUpdated(
    """ID of the match."""
    id: ID!
  ): Match!

  """The rows of the rankings of a season: the current ones first, then those after each change of the season and its rankings."""
  standingsUpdated(
    """ID of the season."""
    seasonId: ID!
    """Maximum number of rows."""
    first: Int! = 20 @range(min: 1, max: 100)
  ): RankingConnection!

  """Opportunities when they are published."""
  opportunityPublished(
    """Only opportunities that match."""
    filter: OpportunityFilter
  ): Opportunity!

  """The events that you can read, from the start of the subscription. Earlier ones are in the list \`events\`."""
  events(
    """Only events that match."""
    filter: EventFilter
  ): Event! @requiresScopes(scopes: [["events:read"]])
}
`;
