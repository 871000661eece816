/** Faults of inputs in words a person can act on: the same at both doors. */
import suggestions from 'graphql/jsutils/suggestionList.js';
import type { ErrorObject } from 'ajv';
import type { Violation } from './errors.ts';
import { notBlank } from './json-schema.ts';

/** A fault before it is known whether it lies in the body or in a parameter: `path` is a JSON pointer into the validated value. */
export interface LocatedViolation {
  readonly path: string;
  readonly code: string;
  readonly detail: string;
}

/** Faults told in one answer: who has more corrects these first. */
export const violationsMax = 50;

/** Stands behind the faults that are told when there are, or may be, others. */
export const moreViolations: LocatedViolation = {
  path: '',
  code: 'more_faults',
  detail: 'may have more faults than are told here; correct these first',
};

/** Characters of a name that are told: its sender knows the rest. */
const nameMax = 100;

/** A name that a client made up, short enough to be told. */
export const truncated = (name: string): string => (name.length <= nameMax ? name : `${name.slice(0, nameMax)}…`);

/** ` did you mean "name"?` for a word near a known one; otherwise what is known, when that is short. */
export function suggestionFor(word: string, known: readonly string[]): string {
  const [near] = word.length <= nameMax ? suggestions.suggestionList(word, known) : [];
  if (near !== undefined) return `; did you mean "${near}"?`;
  return known.length > 0 && known.length <= 25 ? `; known are ${known.join(', ')}` : '';
}

/** A member's name as a step of a JSON pointer (RFC 6901, 3). */
export const escaped = (member: string): string => truncated(member).replaceAll('~', '~0').replaceAll('/', '~1');

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function typesOf(type: unknown): string {
  return [type]
    .flat()
    .map((name) => typeWords[String(name)] ?? String(name))
    .join(' or ');
}

type Words = (error: ErrorObject, params: Readonly<Record<string, unknown>>) => string;

const plural = (count: unknown, one: string): string => `${String(count)} ${one}${count === 1 ? '' : 's'}`;

/** The sentence for each JSON Schema keyword; what is missing here speaks through Ajv's own message. */
const words: Readonly<Record<string, Words>> = {
  type: (_, { type }) => `must be ${typesOf(type)}`,
  enum: (_, { allowedValues }) =>
    `must be one of ${(allowedValues as unknown[])
      .filter((value) => value !== null)
      .map(String)
      .join(', ')}`,
  const: (_, { allowedValue }) => `must be ${String(allowedValue)}`,
  required: () => 'is required',
  minimum: (_, { limit }) => `must be at least ${String(limit)}`,
  maximum: (_, { limit }) => `must be at most ${String(limit)}`,
  minLength: (_, { limit }) => `must have at least ${plural(limit, 'character')}`,
  maxLength: (_, { limit }) => `must have at most ${plural(limit, 'character')}`,
  minItems: (_, { limit }) => `must have at least ${plural(limit, 'item')}`,
  maxItems: (_, { limit }) => `must have at most ${plural(limit, 'item')}`,
  minProperties: (_, { limit }) => `must have at least ${plural(limit, 'member')}`,
  maxProperties: (_, { limit }) => `must have at most ${plural(limit, 'member')}`,
  uniqueItems: () => 'must not name anything twice',
  pattern: (error, { pattern }) => described(error, pattern === notBlank ? 'must not be blank' : `must match ${String(pattern)}`),
  format: (error, { format }) => described(error, `must be a valid ${String(format)}`),
};

const formats: Readonly<Record<string, string>> = {
  date: 'must be a day of the calendar: YYYY-MM-DD',
  'date-time': 'must be an instant: 2026-11-21T10:00:00.000Z (a + in a URL is written %2B)',
  uuid: 'must be an id (a UUID)',
  country: 'must be a country: ISO 3166-1 alpha-2 (DE), GB-ENG, GB-NIR, GB-SCT or GB-WLS, or XK',
  uri: 'must be an absolute http or https URL',
};

function described(error: ErrorObject, otherwise: string): string {
  const schema = error.parentSchema;
  const format = typeof schema?.['format'] === 'string' ? formats[schema['format']] : undefined;
  if (format) return format;
  const examples = Array.isArray(schema?.['examples']) ? ` (like ${schema['examples'].map(String).join(', ')})` : '';
  return `${otherwise}${examples}`;
}

/** Each error once, at the value it is about, and at most faultsMax: a missing member is named by the pointer it would have. */
export function locate(errors: readonly ErrorObject[]): LocatedViolation[] {
  const located = new Map<string, LocatedViolation>();
  for (const error of errors) {
    // The branches of a union repeat what their union says.
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf' || error.keyword === 'if') continue;
    if (located.size === violationsMax) break;
    const violation = locateOne(error);
    const key = `${violation.path} ${violation.code}`;
    const known = located.get(key);
    located.set(
      key,
      known && known.detail !== violation.detail && violation.code === 'type'
        ? { ...violation, detail: `${known.detail} or ${violation.detail.replace('must be ', '')}` }
        : violation,
    );
  }
  const all = [...located.values()];
  // Of a nullable value only what is wrong with the value is told, at it or below it.
  const isNoise = (violation: LocatedViolation): boolean =>
    violation.detail === 'must be null' &&
    all.some((other) => other !== violation && (other.path === violation.path || other.path.startsWith(`${violation.path}/`)));
  return [...all.filter((violation) => !isNoise(violation)), ...(all.length === violationsMax ? [moreViolations] : [])];
}

function locateOne(error: ErrorObject): LocatedViolation {
  const params = error.params as Readonly<Record<string, unknown>>;
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const member = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
    const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
    return {
      path: `${error.instancePath}/${escaped(member)}`,
      code: 'unknown_member',
      detail: `is not known${suggestionFor(member, known)}`,
    };
  }
  const path =
    error.keyword === 'required' ? `${error.instancePath}/${escaped(String(params['missingProperty']))}` : error.instancePath;
  const detail = words[error.keyword]?.(error, params) ?? error.message ?? 'is not valid';
  return { path, code: codes[error.keyword] ?? 'invalid', detail };
}

const codes: Readonly<Record<string, string>> = {
  type: 'type',
  enum: 'enum',
  const: 'enum',
  required: 'required',
  pattern: 'format',
  format: 'format',
  uniqueItems: 'duplicate',
  minimum: 'out_of_bounds',
  maximum: 'out_of_bounds',
  minLength: 'out_of_bounds',
  maxLength: 'out_of_bounds',
  minItems: 'out_of_bounds',
  maxItems: 'out_of_bounds',
  minProperties: 'out_of_bounds',
  maxProperties: 'out_of_bounds',
};

/** A fault of the body. */
export function inBody(violation: LocatedViolation): Violation {
  return { pointer: violation.path, code: violation.code, detail: violation.detail };
}

/** The first fault in words, and how many more there are. */
export function summaryOf(violations: readonly Violation[]): string {
  const [first] = violations;
  if (!first) return 'The request is not valid.';
  const subject = first.parameter ?? (first.pointer === '' ? 'The body' : first.pointer) ?? '';
  return `${subject} ${first.detail}${violations.length > 1 ? ` (and ${violations.length - 1} more)` : '.'}`;
}
