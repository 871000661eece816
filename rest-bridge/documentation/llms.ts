/** `/llms.txt` (https://llmstxt.org): what the platform is, and where an assistant finds its documentation as text. */
import { guideIndex, guidesPath } from './guides.ts';

const link = (base: string, path: string, title: string, text: string): string => `- [${title}](${base}${path}): ${text}`;

/**
 * @param base scheme and host of the server; links are relative without it
 * @param version path of the latest major version: `/api/v1`
 * @param tags of its operations
 */
export function llmsText(base: string, version: string, tags: readonly string[]): string {
  const guides = guideIndex().map(
    ({ section, rows }) =>
      `## ${section}\n\n${rows.map(({ file, title, text }) => link(base, guidesPath + file, title, text)).join('\n')}`,
  );
  return `# Talent Platform

> One API for athletes, competitions, scouting, opportunities and organizations in ten sports, as REST, as GraphQL, and as tools over the Model Context Protocol.

- Reads need no API key and count against a free quota by address. Writes and private data need a key: \`Authorization: Bearer <key>\` or \`x-api-key: <key>\`.
- Lists are \`{"data": [...], "page": {"nextCursor": "…", "hasMore": true}}\`. Send \`cursor=<nextCursor>\` for the next page.
- Errors are RFC 9457 problems: \`code\` is stable, \`detail\` says what to do, \`errors\` lists every violation.
- Unknown parameters and members are rejected.

## API descriptions

${[
  link(base, `${version}/openapi.json`, 'OpenAPI 3.1', 'every REST route with its parameters, bodies, responses and errors'),
  link(base, `${version}/openapi.yaml`, 'OpenAPI 3.1 as YAML', 'the same document'),
  ...tags.map((tag) => link(base, `${version}/openapi/${tag}.json`, `OpenAPI of ${tag}`, `the routes below /${tag} only`)),
  link(base, `${version}/asyncapi.json`, 'AsyncAPI 3.0', 'the events of webhooks and of the stream'),
  link(base, '/graphql/schema.graphql', 'GraphQL schema', 'types, fields and arguments with their descriptions'),
  link(base, `${guidesPath}mcp.md`, 'Model Context Protocol', `tools for assistants at ${base}/mcp`),
  link(base, `${version}/postman.json`, 'Postman collection', 'every REST route as a request'),
].join('\n')}

${guides.join('\n\n')}

## Optional

${link(base, `${guidesPath}decisions/README.md`, 'Design decisions', 'why the platform was built this way')}
${link(base, '/docs/changelog.atom', 'API changelog', 'changes for clients as an Atom feed')}
`;
}
