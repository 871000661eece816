/** The reference as one HTML page without scripts: it works offline and under a strict content security policy. */
import { errors } from '../../schema/errors.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts';

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } summary code { font-weight: 600; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; } th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; } code, pre { font: 14px/1.4 ui-monospace, monospace; }
nav a { margin-right: 1rem; } tr:target { background: var(--soft); }
.guide { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; } .guide > nav { display: none; }
.guide li { margin: .25rem 0; } .guide pre code { white-space: pre; } .guide :not(pre) > code { background: var(--soft); border-radius: .2rem; overflow-wrap: anywhere; padding: 0 .2rem; }
.guide h3 { margin-top: 2rem; } .guide [align="right"] { text-align: right; } .guide :target { background: var(--soft); }
@media (min-width: 60rem) { .guide { grid-template-columns: 13rem minmax(0, 1fr); } .guide > nav { display: block; font-size: 14px; padding-top: 1.5rem; } .guide > nav ul { list-style: none; padding: 0; } .guide > nav [aria-current] { font-weight: 600; } }`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Escapes text for HTML. */
export const escape = (text: unknown): string =>
  String(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
const code = (text: unknown): string => `<code>${escape(text)}</code>`;
/** Escapes text, and renders `code`. */
const prose = (text: unknown): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** A complete documentation page. */
export function documentOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><style>${style}</style></head>
<body>
${body}
</body>
</html>`;
}

/** Renders the page from the OpenAPI document. */
export function referencePage(document: OpenApiDocument): string {
  const base = document.servers[0]?.url ?? '';
  const sections = document.tags.map(
    ({ name }) => `<h2 id="${escape(name)}">${escape(name)}</h2>${operationsOf(document, name, base)}`,
  );
  return documentOf(
    `${String(document.info['title'])}: API reference`,
    `<h1>${escape(document.info['title'])}</h1>
<p>${prose(document.info['description'])} Also available as <a href="${base}/openapi.json">OpenAPI</a>. New here? Start with <a href="/docs/guides/">the guides</a>.</p>
<nav aria-label="Resources">${document.tags.map(({ name }) => `<a href="#${escape(name)}">${escape(name)}</a>`).join('')}<a href="#schemas">Schemas</a><a href="#errors">Errors</a></nav>
<main>
${sections.join('\n')}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components['schemas'] ?? {})
  .map(([name, schema]) => `<details id="schema-${escape(name)}"><summary>${code(name)}</summary>${json(schema)}</details>`)
  .join('\n')}
<h2 id="errors">Errors</h2>
<table><thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead><tbody>
${Object.entries(errors)
  .map(
    ([name, { status, title }]) =>
      `<tr id="error-${name}"><td>${status}</td><td><a href="/docs/problems#${name}">${code(name)}</a></td><td>${escape(title)}</td></tr>`,
  )
  .join('\n')}
</tbody></table>
</main>`,
  );
}

function operationsOf(document: OpenApiDocument, tag: string, base: string): string {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(({ path, method, operation }) => operationDetails(method, base + path, operation))
    .join('\n');
}

function operationDetails(method: string, path: string, operation: OpenApiOperation): string {
  const scopes = operation['x-required-scopes'] ?? [];
  return `<details id="${escape(operation.operationId)}"><summary><code>${method.toUpperCase()} ${escape(path)}</code> ${prose(operation.summary)}</summary>
${scopes.length > 0 ? `<p>Requires an API key with the scope ${scopes.map(code).join(', ')}.</p>` : ''}
${parameterTable(operation.parameters ?? [])}
${operation.requestBody ? `<h3>Request body</h3>${json(operation.requestBody['content'])}` : ''}
<h3>Responses</h3>
${Object.entries(operation.responses)
  .map(([status, response]) => responseDetails(status, response))
  .join('')}
</details>`;
}

function responseDetails(status: string, response: JsonSchema): string {
  const problem = typeof response['$ref'] === 'string';
  if (problem) return `<p>${code(status)} <a href="#errors">problem</a></p>`;
  return `<p>${code(status)} ${prose(response['description'])}</p>${response['content'] ? json(response['content']) : ''}`;
}

function parameterTable(parameters: readonly JsonSchema[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    (parameter) =>
      `<tr><td>${code(parameter['name'])}${parameter['required'] === true ? ' required' : ''}</td><td>${escape(parameter['in'])}</td><td>${prose(parameter['description'] ?? '')}</td><td>${code(JSON.stringify(parameter['schema']))}</td></tr>`,
  );
  return `<h3>Parameters</h3><table><thead><tr><th>Name</th><th>In</th><th>Description</th><th>Schema</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function json(value: unknown): string {
  return `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`;
}
