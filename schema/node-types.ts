/** The types of `node(id:)`, and the internal field of each area that finds which of its resources have given ids. */
import type { Area } from './areas.ts';

/**
 * Types that implement `Node`, by area: resources that a root field returns by their id alone and without required rights.
 * `node(id:)` requires no scope, so a type whose root field requires one cannot be listed here.
 */
export const nodeTypes: Readonly<Partial<Record<Area, readonly string[]>>> = {
  athletes: ['Absence', 'Athlete', 'AthleteStatistics'],
  competitions: ['Adjustment', 'Competition', 'Contest', 'Match', 'Participant', 'Replay', 'Season', 'Stage', 'TieBreakDecision'],
  opportunities: ['Opportunity'],
  organizations: ['Membership', 'Organization', 'Team', 'Transfer'],
};

/** Maximum number of ids of one lookup. */
export const nodesMax = 100;

export const nodeLookupTypes = `
"""The type of a resource."""
type NodeType @shareable @tag(name: "internal") {
  """Id of the resource."""
  id: ID!
  """Name of its type."""
  type: String!
}
`;

/** Name of the lookup field of an area. */
export const nodeLookupField = (area: Area): `${Area}NodeTypes` => `${area}NodeTypes`;

/** SDL of the lookup field of an area; empty for an area without node types. */
export const nodeLookupTypeDefs = (area: Area): string =>
  nodeTypes[area] === undefined
    ? ''
    : `
extend type Query {
  "Types of the resources of this area with these ids. Ids of other resources, and of resources that are not visible to the viewer, are left out."
  ${nodeLookupField(area)}(
    "Ids."
    ids: [ID!]! @length(max: ${nodesMax})
    "Types to look for. Default: all."
    types: [String!]
  ): [NodeType!] @tag(name: "internal")
}
`;
