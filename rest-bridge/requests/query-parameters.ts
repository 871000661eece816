/** Reads the query string of a URL into values of the variables' types; only list parameters may occur more than once. */
import { getNamedType, getNullableType, isEnumType, isListType } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import type { Violation } from '../../schema/errors.ts';
import { truncated } from '../../schema/violations.ts';
import type { Variable } from '../operations/variables.ts';

/** Decoded parameters by name, in the order of the URL. */
export type Query = ReadonlyMap<string, string>;

/** A parameter that could not be read. */
export interface ParameterViolation extends Violation {
  readonly parameter: string;
}

/** Percent-decodes a component; null for invalid UTF-8 or a NUL character. */
function decodeComponent(raw: string): string | null {
  try {
    const decoded = decodeURIComponent(raw.replaceAll('+', ' '));
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}

/** Whether a parameter is a list: `sport=A,B` and `sport=A&sport=B` are equal. */
export const isListParameter = ({ type }: Variable): boolean => isListType(getNullableType(type));

/**
 * Reads the query string of a URL (without `?`). Empty and undecodable parameters, and repeated ones that are not in `lists`, are
 * violations; the values of a repeated list are joined with commas.
 */
export function readQuery(search: string, lists: ReadonlySet<string>): { query: Query; violations: ParameterViolation[] } {
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
    } else if (query.has(name) && !lists.has(name)) {
      violations.push({ parameter: truncated(name), code: 'repeated', detail: 'must not be repeated; it takes one value' });
    } else if (value === '') {
      violations.push({ parameter: truncated(name), code: 'empty', detail: 'must not be empty; omit it or set a value' });
      query.set(name, value);
    } else {
      const earlier = query.get(name);
      query.set(name, earlier === undefined ? value : `${earlier},${value}`);
    }
  }
  return { query, violations };
}

const numbers = new Set(['Int', 'Float', 'SafeInt']);

/** Converts a value to its type; a value that does not fit stays a string, which the validator rejects. */
function valueOf(raw: string, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [...new Set(raw.split(','))].map((item) => valueOf(item, nullable.ofType));
  const name = getNamedType(nullable).name;
  if (numbers.has(name)) return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(raw) ? Number(raw) : raw;
  if (name === 'Boolean') return raw === 'true' ? true : raw === 'false' ? false : raw;
  return raw;
}

/** The value of a query or path parameter, before validation. */
export function parameterValue(raw: string, variable: Variable): unknown {
  return valueOf(raw, variable.type);
}

/**
 * The values of `sort=` for a sort enum: CREATED_AT_DESC is `-createdAt`, NAME_ASC is `name`, RELEVANCE is `relevance`.
 * Null for variables other than the sort.
 */
export function sortValues(variable: Variable): ReadonlyMap<string, string> | null {
  const type = getNullableType(variable.type);
  if (variable.name !== 'sort' || !isEnumType(type)) return null;
  return new Map(type.getValues().map(({ name }) => [sortValue(name), name]));
}

function sortValue(value: string): string {
  const [, stem = value, direction] = /^(.*?)(?:_(ASC|DESC))?$/.exec(value) ?? [];
  const word = stem.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return direction === 'DESC' ? `-${word}` : word;
}
