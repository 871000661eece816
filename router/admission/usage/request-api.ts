/** The API of a request, by its path. */

export const apis = ['REST', 'GRAPHQL', 'MCP'] as const;
export type Api = (typeof apis)[number];

/** `/api/…`, `/graphql…` or `/mcp…`: the first letter decides. */
export function apiOf(path: string): Api {
  const letter = path.charAt(1);
  return letter === 'g' ? 'GRAPHQL' : letter === 'm' ? 'MCP' : 'REST';
}
