/** The type of the internal fields that find resources of an area by name, for the search over all areas. */
export const nameMatchTypes = `
"""A resource that was found by its name."""
type NameMatch @shareable @tag(name: "internal") {
  """ID of the resource."""
  id: ID!
  """Name or title."""
  name: String!
  """The name that has the words of the text: the name, a short name, an alias or a name in another language."""
  matchedName: String!
  """Sports."""
  sports: [Sport!]!
  """Country. Null for international resources."""
  country: CountryCode
  """Short name."""
  shortName: String
  """Category of a team or competition."""
  category: String
  """Age group of a team or competition."""
  ageGroup: String
  """URL of the crest or emblem."""
  imageUrl: Url
}
`;
