/** Turns JSON Schema errors into violations with readable messages, the same for REST and GraphQL. */
import suggestions from 'graphql/jsutils/suggestionList.js';
import type { ErrorObject } from 'ajv';
import { isRecord } from './records.ts';
import type { Violation } from './errors.ts';
import { textMessage, textPatterns } from './texts.ts';

/** A violation before it is known whether it concerns the body or a parameter: `path` is a JSON pointer into the validated value. */
export interface LocatedViolation {
  readonly path: string;
  readonly code: string;
  readonly detail: string;
}

/** Maximum number of violations in one response. */
export const violationsMax = 50;

/** Follows the listed violations when there are, or may be, others. */
export const moreViolations: LocatedViolation = {
  path: '',
  code: 'more_faults',
  detail: 'may have more violations than are listed; correct these first',
};

/** Maximum reported characters of a name that the client sent. */
const nameMax = 100;

/** A name that the client sent, shortened for messages. */
export const truncated = (name: string): string => (name.length <= nameMax ? name : `${name.slice(0, nameMax)}…`);

const lettersOf = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();

/** Known values close to a value: first those that it is the beginning of, then those with few other characters. */
function closestTo(value: string, known: readonly string[]): string[] {
  if (value.length > nameMax) return [];
  const start = lettersOf(value);
  const starting = start.length < 3 ? [] : known.filter((each) => lettersOf(each).startsWith(start));
  const shortestFirst = starting.toSorted((one, other) => one.length - other.length);
  return [...new Set([...shortestFirst, ...suggestions.suggestionList(value, known)])];
}

/**
 * `. Did you mean "name"?` for a value close to known ones; otherwise the known values, if there are at most 25.
 * @param max the number of suggestions
 */
export function suggestionFor(value: string, known: readonly string[], max = 1): string {
  const closest = closestTo(value, known).slice(0, max);
  if (closest.length > 0) return `. Did you mean ${orList(closest.map((each) => `"${each}"`))}?`;
  return known.length > 0 && known.length <= 25 ? `. Known values: ${known.join(', ')}` : '';
}

/** A member's name as a token of a JSON pointer (RFC 6901, 3). */
export const escaped = (member: string): string => truncated(member).replaceAll('~', '~0').replaceAll('/', '~1');

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function typesOf(type: unknown): string {
  return [type]
    .flat()
    .map((name) => typeNames[String(name)] ?? String(name))
    .join(' or ');
}

type Message = (error: ErrorObject, params: Readonly<Record<string, unknown>>) => string;

const plural = (count: unknown, one: string): string => `${String(count)} ${one}${count === 1 ? '' : 's'}`;

/** Whether a bound is more than the range of the GraphQL type Int. */
const isDeclared = (bound: unknown): bound is number => typeof bound === 'number' && Math.abs(bound) < 2 ** 31 - 1;

/** The message for a bound: the whole range when the schema has both bounds, otherwise the violated one. */
function rangeMessage(lower: string, upper: string, verb: string, unit: ((count: unknown) => string) | null): Message {
  return ({ keyword, parentSchema }, { limit }) => {
    const min: unknown = parentSchema?.[lower];
    const max: unknown = parentSchema?.[upper];
    const counted = unit ?? String;
    if (!isDeclared(min) || !isDeclared(max)) return `must ${verb} at ${keyword === lower ? 'least' : 'most'} ${counted(limit)}`;
    if (unit === null) return `must ${verb} between ${String(min)} and ${String(max)}`;
    return min === max ? `must ${verb} ${counted(max)}` : `must ${verb} ${String(min)} to ${counted(max)}`;
  };
}

const valueRange = rangeMessage('minimum', 'maximum', 'be', null);
const lengthRange = rangeMessage('minLength', 'maxLength', 'have', (count) => plural(count, 'character'));
const itemsRange = rangeMessage('minItems', 'maxItems', 'have', (count) => plural(count, 'item'));
const membersRange = rangeMessage('minProperties', 'maxProperties', 'have', (count) => plural(count, 'member'));

/** Examples of inputs that clients often send as a text. */
const typeExamples: Readonly<Record<string, string>> = {
  ExternalIdInput: ' with `scheme` and `value`, such as {"scheme": "DESK", "value": "1"}',
};

/** The message for each JSON Schema keyword; other keywords use Ajv's own message. */
const messages: Readonly<Record<string, Message>> = {
  type: ({ parentSchema }, { type }) => `must be ${typesOf(type)}${typeExamples[String(parentSchema?.['title'])] ?? ''}`,
  enum: (_, { allowedValues }) =>
    `must be one of ${[allowedValues]
      .flat()
      .filter((value) => value !== null)
      .map(String)
      .join(', ')}`,
  const: (_, { allowedValue }) => `must be ${String(allowedValue)}`,
  required: () => 'is required',
  minimum: valueRange,
  maximum: valueRange,
  minLength: lengthRange,
  maxLength: lengthRange,
  minItems: itemsRange,
  maxItems: itemsRange,
  minProperties: membersRange,
  maxProperties: membersRange,
  uniqueItems: () => 'must not contain duplicates',
  pattern: (error, { pattern }) => (textPatterns.has(pattern) ? textMessage(error.data) : patternMessage(error, String(pattern))),
  format: (error, { format }) => formatMessage(error, `must be a valid ${String(format)}`),
};

const formatMessages: Readonly<Record<string, string>> = {
  date: 'must be a date in the format YYYY-MM-DD',
  'date-time': 'must be a date-time with an offset, for example 2026-11-21T10:00:00.000Z',
  uuid: 'must be an id (a UUID)',
  country: 'must be a country code: ISO 3166-1 alpha-2 (DE), GB-ENG, GB-NIR, GB-SCT, GB-WLS or XK',
  uri: 'must be an absolute http or https URL',
};

function formatMessage(error: ErrorObject, otherwise: string): string {
  const schema = error.parentSchema;
  const format = typeof schema?.['format'] === 'string' ? formatMessages[schema['format']] : undefined;
  if (format) return format;
  const examples = examplesOf(error);
  return examples.length > 0 ? `${otherwise} (for example ${examples.join(', ')})` : otherwise;
}

function examplesOf({ parentSchema }: ErrorObject): string[] {
  const examples: unknown = parentSchema?.['examples'];
  return Array.isArray(examples) ? examples.map(String) : [];
}

/** Examples say more than a regular expression. A `+` that a query string did not encode arrived as a space. */
function patternMessage(error: ErrorObject, pattern: string): string {
  const data: unknown = error.data;
  const isPlusLost = typeof data === 'string' && data.includes(' ') && new RegExp(pattern, 'u').test(data.replaceAll(' ', '+'));
  const hint = isPlusLost ? '; encode + as %2B in a URL' : '';
  const examples = examplesOf(error);
  const rule = examples.length > 0 ? `must be a value such as ${orList(examples)}` : `must match the pattern ${pattern}`;
  return `${formatMessage({ ...error, parentSchema: { ...error.parentSchema, examples: null } }, rule)}${hint}`;
}

/** `A, B or C`. */
const orList = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1) ?? ''}`;

/** Each violation once, at the value it concerns, and at most violationsMax. A missing member has the pointer it would have. */
export function locate(errors: readonly ErrorObject[]): LocatedViolation[] {
  const located = new Map<string, LocatedViolation>();
  for (const error of errors) {
    // the branches of a union already report their errors
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
  // "must be null" of a nullable value is redundant next to a violation of the value itself
  const isRedundant = (violation: LocatedViolation): boolean =>
    violation.detail === 'must be null' &&
    all.some((other) => other !== violation && (other.path === violation.path || other.path.startsWith(`${violation.path}/`)));
  return [...all.filter((violation) => !isRedundant(violation)), ...(all.length === violationsMax ? [moreViolations] : [])];
}

function locateOne(error: ErrorObject): LocatedViolation {
  const params: Readonly<Record<string, unknown>> = error.params;
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const member = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
    const properties: unknown = error.parentSchema?.['properties'];
    const known = isRecord(properties) ? Object.keys(properties) : [];
    const isPatch = String(error.parentSchema?.['title']).startsWith('Update');
    return {
      path: `${error.instancePath}/${escaped(member)}`,
      code: 'unknown_member',
      detail:
        isPatch && member === 'status'
          ? 'cannot be patched. The state changes with a transition: `POST …/{id}/{transition}`'
          : `is not a known member${suggestionFor(member, known)}`,
    };
  }
  const path =
    error.keyword === 'required' ? `${error.instancePath}/${escaped(String(params['missingProperty']))}` : error.instancePath;
  const detail = messages[error.keyword]?.(error, params) ?? error.message ?? 'is invalid';
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

/** A violation of the body. */
export function inBody(violation: LocatedViolation): Violation {
  return { pointer: violation.path, code: violation.code, detail: violation.detail };
}

/** The first violation as a sentence, and the number of others: "`limit` must be between 1 and 100." */
export function summaryOf(violations: readonly Violation[]): string {
  const [first] = violations;
  if (!first) return 'The request is invalid.';
  const name = first.parameter ?? first.pointer ?? '';
  const subject = name === '' ? 'The request body' : `\`${name}\``;
  const sentence = `${subject} ${first.detail}${/[.?]$/.test(first.detail) ? '' : '.'}`;
  const others = violations.length - 1;
  return others === 0 ? sentence : `${sentence} See \`errors\` for ${plural(others, 'more violation')}.`;
}
