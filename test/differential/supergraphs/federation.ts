/** The directives of Federation that the special supergraphs use. */
export const federation = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: [
  "@key", "@external", "@requires", "@provides", "@shareable", "@override", "@interfaceObject", "@inaccessible"
])
`;
