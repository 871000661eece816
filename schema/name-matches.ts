/** The type of the internal fields that find resources of an area by name, for the search over all areas. */
export const nameMatchTypes = `
"""A resource that was found by its name."""
type NameMatch @shareable @tag(name: "internal") {
  """ID of the resource."""
  id: ID!
  """Name or title."""
  name: String!
  """Sports."""
  sports: [Sport!]!
  """Country. Null for international resources."""
  country: CountryCode
}
`;
