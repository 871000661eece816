/** One operation of the reference: what it does, parameters, body, responses, a sample, and a form that sends the request. */
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { isRecord } from '../../../schema/records.ts';
import { sampleOf, type SampleRequest } from '../browser/samples.ts';
import { code, escape, prose } from '../html.ts';
import type { OpenApiDocument, OpenApiOperation } from '../openapi.ts';
import { methodLabel, titleOf, type OperationEntry } from './navigation.ts';
import { schemaTable, typeWithBounds } from './schema-tables.ts';

const recordOf = (value: unknown): JsonSchema => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The server of the samples in pages without a public URL. */
const localOrigin = 'http://localhost:4000';

/** Writes the operations of a document. */
export function createOperationSections(document: OpenApiDocument): (entry: OperationEntry) => string {
  const server = document.servers[0]?.url ?? '';
  const base = server.replace(/^https?:\/\/[^/]+/, '');
  const origin = server === base ? localOrigin : server.slice(0, -base.length);

  /** The value that a reference names, or the value itself. */
  function resolve(value: unknown): JsonSchema {
    const { $ref: reference } = recordOf(value);
    if (typeof reference !== 'string') return recordOf(value);
    const [, , group = '', name = ''] = reference.split('/');
    return document.components[group]?.[name] ?? {};
  }

  const jsonMedia = (content: unknown): JsonSchema => recordOf(recordOf(content)['application/json']);

  /** The example of a JSON body as text; null without one. */
  function exampleOf(content: unknown): string | null {
    const media = jsonMedia(content);
    const example = media['example'] ?? resolve(recordOf(media['examples'])['default'])['value'];
    return example === undefined ? null : JSON.stringify(example, null, 2);
  }

  const isImage = ({ requestBody }: OpenApiOperation): boolean => 'image/png' in recordOf(requestBody?.['content']);

  function sampleRequest({ method, path, operation }: OperationEntry, body: string | null): SampleRequest {
    return {
      ...{ method: method.toUpperCase(), origin, base, template: path, path: {}, query: [], body },
      headers: ifMatchOf(operation),
      isImage: isImage(operation),
      isKeyRequired: isKeyRequired(operation),
    };
  }

  function bodySection({ requestBody }: OpenApiOperation): string {
    if (requestBody === undefined) return '';
    const { schema } = jsonMedia(requestBody['content']);
    const members = schema === undefined ? '' : memberTable(schema);
    return `<h3>Body</h3>\n<p>${prose(requestBody['description'] ?? '')}</p>\n${members}`;
  }

  /** The table of the component that a schema names, or of the items that it lists. */
  function memberTable(schema: unknown): string {
    const items = recordOf(schema)['items'];
    if (items !== undefined) return `<p>${typeWithBounds(recordOf(schema))}</p>${schemaTable(resolve(items))}`;
    return schemaTable(resolve(schema));
  }

  function successOf(status: string, response: JsonSchema): string {
    const { schema } = jsonMedia(response['content']);
    const example = exampleOf(response['content']);
    const links = Object.entries(recordOf(response['links'])).map(
      ([, link]) => `<a href="#${escape(recordOf(link)['operationId'])}">${escape(recordOf(link)['description'])}</a>`,
    );
    return `<h3>Response ${code(status)}</h3>
<p>${prose(response['description'])} ${links.join(' ')}</p>
${schema === undefined ? '' : `<details><summary>Members</summary>${memberTable(schema)}</details>`}
${example === null ? '' : `<details><summary>Example</summary><pre>${escape(example)}</pre></details>`}`;
  }

  function problemRow(status: string, reference: JsonSchema): string {
    const codes = [...String(resolve(reference)['description']).matchAll(/`(\w+)`/g)].map(([, each = '']) => each);
    const links = codes.map((each) => `<a href="/docs/problems#${each}">${code(each)}</a>`);
    return `<tr><td>${code(status)}</td><td>${links.join(' ')}</td></tr>`;
  }

  function responsesSection({ responses }: OpenApiOperation): string {
    const isProblem = (response: JsonSchema): boolean => typeof response['$ref'] === 'string';
    const rows = Object.entries(responses);
    const problems = rows.filter(([, response]) => isProblem(response));
    return `${rows
      .filter(([, response]) => !isProblem(response))
      .map(([status, response]) => successOf(status, response))
      .join('\n')}
<details><summary>Problems</summary><table><tbody>${problems.map(([status, response]) => problemRow(status, response)).join('')}</tbody></table></details>`;
  }

  return (entry) => {
    const { method, path, operation } = entry;
    const body = exampleOf(operation.requestBody?.['content']);
    const sample = sampleOf('curl', sampleRequest(entry, body));
    const keyMark = isKeyRequired(operation) ? ' data-key-required' : '';
    return `<section class="operation" id="${escape(operation.operationId)}" data-method="${method.toUpperCase()}" data-base="${escape(base)}" data-path="${escape(path)}"${keyMark}>
<h2><a href="#${escape(operation.operationId)}">${escape(titleOf(operation))}</a></h2>
<p class="route">${methodLabel(method)} ${code(base + path)}</p>
<div class="columns"><div class="description">
<p>${prose(withoutTitle(operation))}</p>
${parametersSection(operation.parameters ?? [])}
${bodySection(operation)}
${responsesSection(operation)}
</div><div class="sample">
<pre class="code">${escape(sample)}</pre>
<details class="try" hidden><summary>Try it</summary>${formOf(operation, method, isImage(operation) ? imageField : bodyField(body))}</details>
</div></div>
</section>`;
  };
}

/** The description without its first sentence, which is the heading. */
function withoutTitle(operation: OpenApiOperation): string {
  const title = `${titleOf(operation)}.`;
  return operation.description.startsWith(title) ? operation.description.slice(title.length).trim() : operation.description;
}

/** Whether requests without a key are rejected. */
const isKeyRequired = ({ security }: OpenApiOperation): boolean => security.every((each) => Object.keys(each).length > 0);

/** The version of a new resource, for samples. */
const firstVersion = '1';

/** The headers of the sample of an operation that requires If-Match. */
function ifMatchOf({ parameters = [] }: OpenApiOperation): readonly (readonly [string, string])[] {
  const isRequired = parameters.some(({ name, required }) => name === 'If-Match' && required === true);
  return isRequired ? [['If-Match', firstVersion]] : [];
}

function parametersSection(parameters: readonly JsonSchema[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td>${code(name)}${required === true ? ' <em>required</em>' : ''}${place === 'query' ? '' : ` <small>${escape(place)}</small>`}</td><td>${typeWithBounds(recordOf(schema))}</td><td>${prose(description ?? '')}</td></tr>`,
  );
  return `<h3>Parameters</h3>
<table><thead><tr><th>Name</th><th>Type</th><th>Description</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

/** A field for a parameter: a choice for single values of a list, otherwise text. */
function fieldOf(parameter: JsonSchema): string {
  const schema = recordOf(parameter['schema']);
  const attributes = `name="${escape(parameter['name'])}" data-in="${escape(parameter['in'])}"`;
  const values = schema['type'] === 'boolean' ? ['true', 'false'] : listOf(schema['enum']);
  const isRequired = parameter['required'] === true ? ' required' : '';
  const value = isRequired !== '' && parameter['name'] === 'If-Match' ? ` value="${firstVersion}"` : '';
  const field =
    values.length > 0
      ? `<select ${attributes}${isRequired}><option value=""></option>${values.map((value) => `<option>${escape(value)}</option>`).join('')}</select>`
      : `<input ${attributes}${isRequired}${value} autocomplete="off" spellcheck="false"${schema['type'] === 'array' ? ' placeholder="separated by commas"' : ''}>`;
  return `<label>${escape(parameter['name'])} ${field}</label>`;
}

const imageField = '<label class="wide">Image <input type="file" accept="image/png,image/jpeg,image/webp" required></label>';

const bodyField = (body: string | null): string =>
  body === null
    ? ''
    : `<label class="wide">Body <textarea name="body" rows="${Math.min(12, body.split('\n').length)}" spellcheck="false">${escape(body)}</textarea></label>`;

function formOf({ parameters = [], operationId }: OpenApiOperation, method: string, field: string): string {
  const warning = method === 'get' ? '' : '<p>This request changes data.</p>';
  return `<form aria-label="Request of ${escape(operationId)}">${parameters.map(fieldOf).join('')}${field}${warning}<button>Send</button></form><output></output>`;
}
