/** Reads a request into the variables of its operation, or rejects it with a Problem that lists every violation. */
import { isRecord } from '../../schema/records.ts';
import { Problem } from '../../schema/errors.ts';
import type { Violation } from '../../schema/errors.ts';
import { violationsMax, inBody, summaryOf } from '../../schema/violations.ts';
import type { Operation } from '../operations/operation.ts';
import { checkItems } from './batch.ts';
import type { CheckedBatch } from './batch.ts';
import { parseBody } from './body.ts';
import { createHeaderReader } from './header-reader.ts';
import { createMemberSelection } from './member-selection.ts';
import { isListParameter, parameterValue, readQuery, sortValues } from './query-parameters.ts';
import type { Query } from './query-parameters.ts';
import { unknownParameters } from './unknown-parameters.ts';
import type { Validators } from './validators.ts';

export interface RawRequest {
  /** Path and query as received. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export interface ReadRequest {
  readonly documentId: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Members that are fetched for the entity tag only, and removed from the response. */
  readonly hidden: readonly string[];
  /** The items of a batch, checked separately. */
  readonly batch: CheckedBatch | null;
}

/** The variables of a request while they are read. */
export type Variables = Record<string, unknown>;

function createPathReader(operation: Operation, validators: Validators) {
  const inPath = operation.variables.filter(({ place }) => place === 'path');
  return (params: RawRequest['params'], variables: Variables): void => {
    const values = Object.fromEntries(
      inPath.map((variable) => [variable.wireName, parameterValue(params[variable.name] ?? '', variable)]),
    );
    const texts = Object.values(values).filter((value) => typeof value === 'string');
    if (validators.path(values).length > 0 || texts.some((text) => text.includes('\0')))
      throw new Problem('not_found', 'There is no resource at this path.');
    for (const variable of inPath) variables[variable.name] = values[variable.wireName];
  };
}

/** A `+` in a query string is a space, so an offset such as +02:00 arrives without its sign. */
const plusHint = ' (encode + as %2B in a query string)';

function createQueryReader(operation: Operation, validators: Validators) {
  const inQuery = operation.variables.filter(({ place }) => place === 'query');
  const sort = inQuery.map((variable) => ({ variable, values: sortValues(variable) })).find(({ values }) => values !== null);
  return (query: Query, variables: Variables, violations: Violation[]): void => {
    const given: Record<string, unknown> = {};
    for (const variable of inQuery) {
      const raw = query.get(variable.wireName);
      if (raw !== undefined && raw !== '') given[variable.wireName] = parameterValue(raw, variable);
    }
    for (const { path, code, detail } of validators.query(given)) {
      violations.push({
        parameter: path.split('/')[1] ?? '',
        code,
        detail: `${detail}${/date-time/.test(detail) ? plusHint : ''}`,
      });
    }
    for (const variable of inQuery) {
      const value = given[variable.wireName];
      if (value !== undefined)
        variables[variable.name] = sort?.variable === variable && typeof value === 'string' ? sort.values?.get(value) : value;
    }
  };
}

/** An image in base64, as the schema has it. */
function readImage(bytes: unknown): string {
  if (Buffer.isBuffer(bytes) && bytes.length > 0) return bytes.toString('base64');
  const detail = 'The request body is empty. Send the image.';
  throw new Problem('validation_failed', detail, { errors: [{ pointer: '', code: 'required', detail }] });
}

function createBodyReader(operation: Operation, validators: Validators, maxValues: number) {
  const bodyVariables = operation.variables.filter(({ place }) => place === 'body');
  const isOptional = bodyVariables.every(({ required }) => !required);
  /** Throws payload_too_large, malformed_json and validation_failed. Returns the items of a batch. */
  return (bytes: unknown, variables: Variables): CheckedBatch | null => {
    if (operation.body === 'image') {
      variables['image'] = readImage(bytes);
      return null;
    }
    const body = parseBody(bytes, maxValues);
    if (body === undefined) {
      if (isOptional) return null;
      throw new Problem('malformed_json', 'The request body is empty. Send a JSON object.');
    }
    const violations = validators.body(body).map(inBody);
    if (violations.length > 0) throw new Problem('validation_failed', summaryOf(violations), { errors: violations });
    if (operation.body === 'input') variables['input'] = body;
    if (operation.body === 'members') Object.assign(variables, body);
    if (operation.body !== 'items') return null;
    const items: unknown = isRecord(body) ? body['items'] : null;
    const batch = checkItems(Array.isArray(items) ? items : [], validators.item);
    variables['items'] = batch.items;
    return batch;
  };
}

/**
 * Creates the reader of one operation; its body has at most `maxValues` values (body-limits.ts), and `joined` are the members that its
 * changes do not cover (joined-members.ts). It throws Problem: not_found,
 * unknown_parameter, parameter_invalid, precondition_required, payload_too_large, malformed_json, validation_failed.
 */
export function createRequestReader(
  operation: Operation,
  validators: Validators,
  maxValues: number,
  joined: ReadonlyMap<string, string | null>,
): (raw: RawRequest) => ReadRequest {
  const defaults = Object.fromEntries(
    operation.variables
      .filter(({ defaultValue }) => defaultValue !== undefined)
      .map((variable) => [variable.name, variable.defaultValue]),
  );
  const selectMembers = createMemberSelection(operation, joined);
  const readPath = createPathReader(operation, validators);
  const readParameters = createQueryReader(operation, validators);
  const readHeaders = createHeaderReader(operation);
  const readBody = createBodyReader(operation, validators, maxValues);
  const findUnknown = unknownParameters(operation);
  const lists = new Set(['fields', 'include', ...operation.variables.filter(isListParameter).map(({ wireName }) => wireName)]);

  return ({ url, params, headers, body }) => {
    const variables: Variables = { ...defaults };
    readPath(params, variables);
    const start = url.indexOf('?');
    const { query, violations: unreadable } = readQuery(start < 0 ? '' : url.slice(start + 1), lists);
    const violations: Violation[] = unreadable;
    findUnknown(query, violations);
    readParameters(query, variables, violations);
    const selection = selectMembers(query, variables, violations);
    readHeaders(headers, variables, violations);
    if (violations.length > 0) {
      const unknown = violations.some((violation) => violation.code === 'unknown_parameter');
      throw new Problem(unknown ? 'unknown_parameter' : 'parameter_invalid', summaryOf(violations), {
        errors: violations.slice(0, violationsMax),
      });
    }
    const batch = operation.method === 'GET' ? null : readBody(body, variables);
    return { ...selection, variables, batch };
  };
}
