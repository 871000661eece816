/** The query of a URL as typed values: every parameter once, known by name, in the shape its variable has. */
import { getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import type { Violation } from '../../schema/errors.ts';
import { truncated } from '../../schema/violations.ts';
import type { Variable } from '../operations/operation.ts';

/** Decoded parameters by name, in the order of the URL; no prototype, so that no name is special. */
export type Query = ReadonlyMap<string, string>;

/** What of a query could not be read; `code` is that of the whole answer. */
export interface ParameterViolation extends Violation {
  readonly parameter: string;
}

/** Percent-decodes a component; null when it is not UTF-8 or holds a NUL. */
function decodeComponent(raw: string): string | null {
  try {
    const decoded = decodeURIComponent(raw.replaceAll('+', ' '));
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}

/** Reads the query string of a URL (without `?`). A repeated, empty or undecodable parameter is a fault. */
export function readQuery(search: string): { query: Query; violations: ParameterViolation[] } {
  const query = new Map<string, string>();
  const violations: ParameterViolation[] = [];
  for (const part of search.split('&')) {
    if (part === '') continue;
    const end = part.indexOf('=');
    const name = decodeComponent(end < 0 ? part : part.slice(0, end));
    const value = end < 0 ? '' : decodeComponent(part.slice(end + 1));
    if (name === null || value === null) {
      violations.push({
        parameter: truncated(name ?? part),
        code: 'encoding',
        detail: 'must be percent-encoded UTF-8 without NUL characters',
      });
    } else if (query.has(name)) {
      violations.push({
        parameter: truncated(name),
        code: 'repeated',
        detail: 'is given more than once; separate several values with commas',
      });
    } else if (value === '') {
      violations.push({ parameter: truncated(name), code: 'empty', detail: 'has no value; leave it out or give it one' });
      query.set(name, value);
    } else {
      query.set(name, value);
    }
  }
  return { query, violations };
}

const numbers = new Set(['Int', 'Float', 'SafeInt']);

/** One value in the shape of its type; a text that does not fit stays a text, for the validator to name. */
function valueOf(raw: string, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return raw.split(',').map((item) => valueOf(item, nullable.ofType));
  const name = getNamedType(nullable).name;
  if (numbers.has(name)) return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(raw) ? Number(raw) : raw;
  if (name === 'Boolean') return raw === 'true' ? true : raw === 'false' ? false : raw;
  return raw;
}

/** The value of a query or path parameter, before it is validated. */
export function parameterValue(raw: string, variable: Variable): unknown {
  return valueOf(raw, variable.type);
}

/**
 * How `sort=` says the values of a sort enum: CREATED_AT_DESC is `-createdAt`, NAME_ASC is `name`, RELEVANCE is `relevance`.
 * Null for a variable that is not the sort.
 */
export function sortValues(variable: Variable): ReadonlyMap<string, string> | null {
  const type = getNullableType(variable.type);
  if (variable.name !== 'sort' || !isEnumType(type)) return null;
  return new Map(type.getValues().map(({ name }) => [sortWord(name), name]));
}

function sortWord(value: string): string {
  const [, stem = value, direction] = /^(.*?)(?:_(ASC|DESC))?$/.exec(value) ?? [];
  const word = stem.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return direction === 'DESC' ? `-${word}` : word;
}
