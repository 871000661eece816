/** JSON Schemas as HTML: the type of a value in words, and the members of an object as a table. */
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { isRecord } from '../../../schema/records.ts';
import { code, escape, prose } from '../html.ts';
import { requiredWithoutFields } from '../response-schema.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const nameOf = (reference: unknown): string | null =>
  typeof reference === 'string' ? (reference.split('/').at(-1) ?? null) : null;

/** The place of a component on the page of an area. */
export const schemaHref = (name: string): string => `#schema-${name}`;

/** More values than this are shown with the component of the enum. */
const valuesMax = 12;

const rangeOf = (minimum: unknown, maximum: unknown, unit = ''): string[] => {
  // the bounds of 32-bit integers say nothing
  const isBound = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < 2_147_483_647;
  if (isBound(minimum) && isBound(maximum)) return [`${minimum} to ${maximum}${unit}`];
  if (isBound(minimum)) return [`at least ${minimum}${unit}`];
  return isBound(maximum) ? [`at most ${maximum}${unit}`] : [];
};

function boundsOf(schema: JsonSchema): readonly string[] {
  const { pattern } = schema;
  return [
    ...(schema['default'] === undefined ? [] : [`default ${JSON.stringify(schema['default'])}`]),
    ...rangeOf(schema['minimum'], schema['maximum']),
    ...rangeOf(schema['minLength'], schema['maxLength'], ' characters'),
    ...rangeOf(schema['minItems'], schema['maxItems'], ' items'),
    // the patterns of names list every invisible character
    ...(typeof pattern === 'string' && pattern.length <= 60 ? [pattern] : []),
  ];
}

/** The type of a value as HTML, such as “list of Sport” with a link, or “string (uuid) or null”. */
export function typeOf(schema: JsonSchema): string {
  const name = nameOf(schema['$ref']);
  if (name !== null) return `<a href="${escape(schemaHref(name))}">${escape(name)}</a>`;
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(isRecord);
  if (choices.length > 0) return choices.map(typeOf).join(' or ');
  const types = Array.isArray(schema['type'])
    ? schema['type'].map(String)
    : [typeof schema['type'] === 'string' ? schema['type'] : 'any'];
  const format = typeof schema['format'] === 'string' ? ` (${escape(schema['format'])})` : '';
  const words = types.map((type) => {
    if (type === 'array') return `list of ${isRecord(schema['items']) ? typeOf(schema['items']) : 'any'}`;
    return type === 'null' ? 'null' : escape(type) + format;
  });
  return words.join(' or ');
}

/** The type with its bounds and values. */
export function typeWithBounds(schema: JsonSchema): string {
  const items = isRecord(schema['items']) ? schema['items'] : {};
  const values = [...listOf(schema['enum']), ...listOf(items['enum'])];
  const bounds = boundsOf(schema);
  return [
    typeOf(schema),
    bounds.length === 0 ? '' : ` <small>${bounds.map(escape).join(', ')}</small>`,
    values.length === 0
      ? ''
      : ` <small class="values">${values.slice(0, valuesMax).map(code).join(' ')}${values.length > valuesMax ? ' …' : ''}</small>`,
  ].join('');
}

/** The members of an object as a table; the values of an enum as a list. */
export function schemaTable(schema: JsonSchema): string {
  const { properties } = schema;
  if (!isRecord(properties)) {
    const values = listOf(schema['enum']);
    return values.length > 0 ? `<p class="values">${values.map(code).join(' ')}</p>` : `<p>${typeWithBounds(schema)}</p>`;
  }
  const required = new Set([...listOf(schema['required']), ...listOf(schema[requiredWithoutFields])]);
  const rows = Object.entries(properties).map(([name, value]) => {
    const member: JsonSchema = isRecord(value) ? value : {};
    const mark = required.has(name) ? ' <em>required</em>' : '';
    return `<tr><td>${code(name)}${mark}</td><td>${typeWithBounds(member)}</td><td>${prose(member['description'] ?? '')}</td></tr>`;
  });
  return `<table><thead><tr><th>Member</th><th>Type</th><th>Description</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}
