/** The API of a request, by its path. */

export type Api = 'REST' | 'GRAPHQL' | 'MCP';

export function apiOf(path: string): Api {
  if (path.startsWith('/graphql')) return 'GRAPHQL';
  return path.startsWith('/mcp') ? 'MCP' : 'REST';
}
