/** The pages of the REST reference: an overview of all operations, and a page for each area. They work offline and without scripts. */
import { code, documentWithNavigation, escape, prose } from '../html.ts';
import { documentOfTag } from '../openapi-parts.ts';
import type { OpenApiDocument } from '../openapi.ts';
import {
  areaPath,
  areaTitle,
  methodLabel,
  navigation,
  operationHref,
  operationsOf,
  titleOf,
  type NavigationLink,
} from './navigation.ts';
import { createOperationSections } from './operation-section.ts';
import { schemaTable } from './schema-tables.ts';

function areaRows(document: OpenApiDocument, tag: string): string {
  return operationsOf(document, tag)
    .map(
      ({ method, path, operation }) =>
        `<tr id="${escape(operation.operationId)}"><td>${methodLabel(method)}</td><td><a href="${operationHref(tag, operation)}">${escape(titleOf(operation))}</a></td><td>${code(path)}</td></tr>`,
    )
    .join('\n');
}

/** The page at /docs. */
export function overviewPage(document: OpenApiDocument, guides: readonly NavigationLink[]): string {
  const base = document.servers[0]?.url ?? '';
  const areas = document.tags.map(
    ({ name, description }) => `<h2 id="${escape(name)}"><a href="${areaPath(name)}">${escape(areaTitle(name))}</a></h2>
<p>${prose(description)} <a href="/api/v1/openapi/${escape(name)}.json">OpenAPI of this area</a></p>
<table class="operations"><tbody>
${areaRows(document, name)}
</tbody></table>`,
  );
  return documentWithNavigation(
    'REST reference',
    navigation(document, guides, '/docs'),
    `<h1>REST reference</h1>
<p>${prose(document.info['description'])}</p>
<table><tbody>
<tr><th>Server</th><td>${code(base)}</td></tr>
<tr><th>API key</th><td>Header ${code('X-API-Key')}, or ${code('Authorization: Bearer')}. Public data can be read without a key. <a href="/docs/guides/authentication">API keys</a></td></tr>
<tr><th>Errors</th><td>${code('application/problem+json')} with a stable ${code('code')}. <a href="/docs/problems">Error codes</a></td></tr>
<tr><th>Lists</th><td>Pages with ${code('limit')} and ${code('cursor')}, or the whole list as NDJSON or CSV. <a href="/docs/guides/pagination">Pagination</a></td></tr>
<tr><th>OpenAPI 3.1</th><td><a href="/api/v1/openapi.json">JSON</a>, <a href="/api/v1/openapi.yaml">YAML</a>, <a href="/api/v1/postman.json">Postman collection</a></td></tr>
<tr><th>Events</th><td><a href="/api/v1/asyncapi.json">AsyncAPI 3.0</a> of webhooks and the stream. <a href="/docs/guides/event-types">Event types</a></td></tr>
</tbody></table>
${areas.join('\n')}`,
  );
}

/** The page of one area with all of its operations and the schemas that they use. */
export function areaPage(document: OpenApiDocument, tag: string, guides: readonly NavigationLink[]): string {
  const area = documentOfTag(document, tag);
  const section = createOperationSections(area);
  const schemas = Object.entries(area.components['schemas'] ?? {}).map(
    ([name, schema]) =>
      `<details id="schema-${escape(name)}"><summary>${code(name)}</summary><p>${prose(schema['description'] ?? '')}</p>${schemaTable(schema)}</details>`,
  );
  return documentWithNavigation(
    `${areaTitle(tag)}: REST reference`,
    navigation(document, guides, areaPath(tag)),
    `<h1>${escape(areaTitle(tag))}</h1>
<p>${prose(area.tags[0]?.description ?? '')} <a href="/api/v1/openapi/${escape(tag)}.json">OpenAPI of this area</a></p>
${operationsOf(area, tag).map(section).join('\n')}
<h2 id="schemas">Schemas</h2>
${schemas.join('\n')}`,
  );
}
