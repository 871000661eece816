/** The page at `/`, and the page of unknown paths for browsers. */
import { documentOf, escape } from './html.ts';

/** Live examples: reads without a key. */
const examples: readonly (readonly [path: string, text: string])[] = [
  ['/api/v1/organizations?limit=3', 'Three organizations'],
  ['/api/v1/competitions?limit=3&sport=FOOTBALL', 'Three football competitions'],
  ['/api/v1/athletes?limit=3&fields=id,displayName,sports', 'Three athletes with their sports'],
];

const links: readonly (readonly [path: string, title: string, text: string])[] = [
  ['/docs', 'REST reference', 'every route with its parameters, bodies and responses'],
  ['/docs/guides', 'Guides', 'first request, pagination, synchronization, errors, limits'],
  ['/graphql', 'GraphQL explorer', 'the same data as one graph'],
  ['/api/v1/openapi.json', 'OpenAPI 3.1', 'for client generators'],
  ['/api/v1/asyncapi.json', 'AsyncAPI 3.0', 'the events of webhooks and streams'],
  ['/docs/guides/mcp', 'Assistants', 'the reads as tools over the Model Context Protocol, at /mcp'],
  ['/api/v1/postman.json', 'Postman collection', 'every route, ready to send'],
  ['/docs/changelog', 'API changelog', 'what has changed'],
  ['/status', 'Status', 'whether all components work, incidents and maintenance'],
  ['/admin', 'Dashboard', 'for administrators'],
];

/** @param base scheme and host of the server, for commands that can be pasted */
export function frontPage(base: string): string {
  const host = base === '' ? 'http://localhost:4000' : base;
  return documentOf(
    'Talent Platform',
    `<main>
<h1>Talent Platform</h1>
<p>One API for athletes, competitions, scouting, opportunities and organizations in ten sports, as REST and as GraphQL. Reads work without a key.</p>
<h2>Try it</h2>
${examples
  .map(
    ([path, text]) =>
      `<p><a href="${escape(path)}">${escape(text)}</a></p>\n<pre><code>curl '${escape(host + path)}'</code></pre>`,
  )
  .join('\n')}
<h2>Read on</h2>
<ul>
${links.map(([path, title, text]) => `<li><a href="${path}">${title}</a>: ${text}</li>`).join('\n')}
</ul>
</main>`,
  );
}

/** The 404 page of paths outside of the API. */
export function notFoundPage(): string {
  return documentOf(
    'Not found',
    `<main>
<h1>Not found</h1>
<p>There is no page at this address. Go to the <a href="/">start page</a>, the <a href="/docs">REST reference</a> or the <a href="/docs/guides">guides</a>.</p>
</main>`,
  );
}
