/** The custom scalars of the graph: description, JSON Schema for REST, and the check of input values. */
import { isCountry } from './countries.ts';

export interface ScalarRow {
  readonly description: string;
  /** JSON Schema (2020-12) of the value on the wire. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** TypeScript type of the value inside resolvers. */
  readonly type: string;
  /** Whether an input value is valid. Output values are not checked. */
  readonly accepts: (value: unknown) => boolean;
}

const text =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value);

/** Whether a text is an existing calendar day as YYYY-MM-DD, from 0001-01-01 to 9999-12-31. PostgreSQL has no year 0. */
function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value) || value.startsWith('0000')) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

const timePattern = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00)$/;
const firstInstant = Date.parse('0001-01-01T00:00:00Z');
// A later instant could be rounded into the year 10000.
const lastInstant = Date.parse('9999-12-31T23:59:59.998Z');

/** Whether a text is an RFC 3339 instant whose UTC year is 1 to 9999, without leap seconds and with an offset that is in use. */
function isDateTime(value: unknown): boolean {
  if (typeof value !== 'string' || !isDate(value.slice(0, 10)) || !timePattern.test(value.slice(10))) return false;
  const time = Date.parse(value);
  return time >= firstInstant && time <= lastInstant;
}

const languagePattern = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/;
const countryPattern = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/;

/** Maximum size of an image file. */
export const imageMaxBytes = 5 * 1024 * 1024;

/** The same in base64. */
const imageMaxCharacters = Math.ceil(imageMaxBytes / 3) * 4;

export const scalars = {
  DateTime: {
    description: 'An instant in UTC, RFC 3339: `2026-11-21T10:00:00.000Z`.',
    jsonSchema: { type: 'string', format: 'date-time' },
    type: 'string',
    accepts: isDateTime,
  },
  Date: {
    description: 'A calendar day: `YYYY-MM-DD`.',
    jsonSchema: { type: 'string', format: 'date' },
    type: 'string',
    accepts: isDate,
  },
  CountryCode: {
    description: 'ISO 3166-1 alpha-2 in upper case (`DE`); home nations as `GB-ENG`, Kosovo as `XK`.',
    jsonSchema: { type: 'string', format: 'country', pattern: countryPattern.source, examples: ['DE', 'GB-ENG'] },
    type: 'string',
    // The format `country` checks the codes: its errors name the parameter, in literals and in variables.
    accepts: text(countryPattern),
  },
  Url: {
    description: 'An absolute http or https URL.',
    jsonSchema: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2000 },
    type: 'string',
    accepts: (value) => typeof value === 'string' && value.length <= 2000 && /^https?:\/\//.test(value) && URL.canParse(value),
  },
  Language: {
    description: 'A BCP 47 language tag: `en`, `pt-BR`.',
    jsonSchema: { type: 'string', pattern: languagePattern.source, examples: ['en', 'pt-BR'] },
    type: 'string',
    accepts: text(languagePattern),
  },
  SafeInt: {
    description: 'A whole number that a double holds exactly (up to 2^53 - 1): money, marks, counters.',
    jsonSchema: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    type: 'number',
    accepts: (value) => Number.isSafeInteger(value),
  },
  Json: {
    description: 'A JSON object: the representation of a resource, as the REST API returns it.',
    jsonSchema: { type: 'object' },
    type: 'Readonly<Record<string, unknown>>',
    accepts: () => false,
  },
  ImageFile: {
    description: 'A PNG, JPEG or WebP image of at most 5 MiB, in base64 (RFC 4648). Over REST the body is the image itself.',
    jsonSchema: { type: 'string', contentEncoding: 'base64', maxLength: imageMaxCharacters },
    type: 'string',
    accepts: (value) => typeof value === 'string' && value.length <= imageMaxCharacters,
  },
} as const satisfies Record<string, ScalarRow>;

/** The JSON Schema formats of the scalars, for validators: REST and GraphQL accept the same values as the areas. */
export const scalarFormats: Readonly<Record<string, (text: string) => boolean>> = {
  date: scalars.Date.accepts,
  'date-time': scalars.DateTime.accepts,
  uri: scalars.Url.accepts,
  country: isCountry,
};
