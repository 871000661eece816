/** From a request to the variables of its operation, or to the Problem that names everything wrong with it. */
import { Problem } from '../../schema/errors.ts';
import type { Violation } from '../../schema/errors.ts';
import { truncated, violationsMax, inBody, suggestionFor, summaryOf } from '../../schema/violations.ts';
import { checkItems } from './batch.ts';
import type { CheckedBatch } from './batch.ts';
import { parseBody } from './body.ts';
import { alwaysFetched } from '../operations/documents.ts';
import type { Operation } from '../operations/operation.ts';
import { parameterValue, readQuery, sortValues } from './query-parameters.ts';
import type { Query } from './query-parameters.ts';
import type { Validators } from './validators.ts';

export interface RawRequest {
  /** Path and query as the client sent them. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export interface ReadRequest {
  readonly documentId: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Members fetched for the entity tag that the client did not ask for. */
  readonly hidden: readonly string[];
  /** A batch, and its items that were refused here. */
  readonly batch: CheckedBatch | null;
}

/** Makes the reader of one operation. The reader throws Problem: not_found, unknown_parameter, parameter_invalid, precondition_required, malformed_json, validation_failed. */
export function createRequestReader(operation: Operation, checks: Validators): (raw: RawRequest) => ReadRequest {
  const at = (place: string) => operation.variables.filter((variable) => variable.place === place);
  const [inPath, inQuery, inHeader] = [at('path'), at('query'), at('header')];
  const sort = inQuery.map((variable) => ({ variable, words: sortValues(variable) })).find(({ words }) => words !== null);
  const defaults = Object.fromEntries(
    operation.variables
      .filter(({ defaultValue }) => defaultValue !== undefined)
      .map((variable) => [variable.name, variable.defaultValue]),
  );
  const optional = operation.members.filter((member) => member.optional).map((member) => member.name);
  const everything = operation.members.map((member) => member.name);
  const kept = operation.versioned ? alwaysFetched : [];
  const known = [
    ...inQuery.map((variable) => variable.wireName),
    ...(everything.length > 0 ? ['fields'] : []),
    ...(optional.length > 0 ? ['include'] : []),
  ];
  const excluded = Object.fromEntries(optional.map((name) => [`include_${name}`, false]));
  const dropped = Object.fromEntries(everything.filter((name) => !kept.includes(name)).map((name) => [`field_${name}`, false]));

  function readPath(params: RawRequest['params'], variables: Record<string, unknown>): void {
    const values = Object.fromEntries(
      inPath.map((variable) => [variable.wireName, parameterValue(params[variable.name] ?? '', variable)]),
    );
    const texts = Object.values(values).filter((value) => typeof value === 'string');
    if (checks.path(values).length > 0 || texts.some((text) => text.includes('\0')))
      throw new Problem('not_found', 'There is nothing here by that name.');
    for (const variable of inPath) variables[variable.name] = values[variable.wireName];
  }

  function readParameters(query: Query, variables: Record<string, unknown>, violations: Violation[]): void {
    for (const name of [...query.keys()].filter((name) => !known.includes(name)).slice(0, violationsMax)) {
      violations.push({
        parameter: truncated(name),
        code: 'unknown_parameter',
        detail: `is not a parameter of ${operation.method} ${operation.path}${suggestionFor(name, known)}`,
      });
    }
    const values: Record<string, unknown> = {};
    for (const variable of inQuery) {
      const raw = query.get(variable.wireName);
      if (raw !== undefined && raw !== '') values[variable.wireName] = parameterValue(raw, variable);
    }
    violations.push(
      ...checks
        .query(values)
        .map((violation) => ({ parameter: violation.path.split('/')[1] ?? '', code: violation.code, detail: violation.detail })),
    );
    for (const variable of inQuery) {
      const value = values[variable.wireName];
      if (value !== undefined) variables[variable.name] = sort?.variable === variable ? sort.words?.get(value as string) : value;
    }
  }

  function choose(
    query: Query,
    parameter: 'fields' | 'include',
    choices: readonly string[],
    violations: Violation[],
  ): ReadonlySet<string> | null {
    const raw = query.get(parameter);
    if (raw === undefined || raw === '' || choices.length === 0) return null;
    const names = new Set(raw.split(','));
    for (const name of [...names].filter((name) => !choices.includes(name)).slice(0, violationsMax)) {
      violations.push({
        parameter,
        code: 'unknown_member',
        detail: `"${truncated(name)}" is not a member one can ask for${suggestionFor(name, choices)}`,
      });
    }
    return names;
  }

  /** Which document answers: the whole one, or the one of chosen members. */
  function readChoice(
    query: Query,
    variables: Record<string, unknown>,
    violations: Violation[],
  ): Pick<ReadRequest, 'documentId' | 'hidden'> {
    const fields = choose(query, 'fields', everything, violations);
    const include = choose(query, 'include', optional, violations);
    if (!fields) {
      Object.assign(variables, excluded);
      for (const name of include ?? []) variables[`include_${name}`] = true;
      return { documentId: operation.name, hidden: [] };
    }
    Object.assign(variables, dropped);
    const asked = new Set([...fields, ...(include ?? [])]);
    for (const name of asked) if (!kept.includes(name)) variables[`field_${name}`] = true;
    return { documentId: `${operation.name}.fields`, hidden: kept.filter((name) => !asked.has(name)) };
  }

  function readHeaders(headers: RawRequest['headers'], variables: Record<string, unknown>, violations: Violation[]): void {
    for (const variable of inHeader) {
      const value = headers[variable.wireName.toLowerCase()];
      const text = Array.isArray(value) ? value.join(', ') : value;
      if (text === undefined) {
        if (variable.required)
          throw new Problem(
            'precondition_required',
            'Send If-Match with the ETag (or the version) you read, or with * to say: whatever it is now.',
          );
      } else if (
        !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(text) ||
        (variable.name === 'idempotencyKey' && text.includes(' '))
      ) {
        violations.push({ parameter: variable.wireName, code: 'format', detail: 'must be 1 to 255 visible ASCII characters' });
      } else {
        variables[variable.name] = text;
      }
    }
    if (
      operation.method !== 'GET' &&
      headers['if-match'] !== undefined &&
      !inHeader.some((variable) => variable.name === 'ifMatch')
    ) {
      violations.push({
        parameter: 'If-Match',
        code: 'unsupported',
        detail: 'cannot be honoured by this operation; leave it out',
      });
    }
  }

  function readBody(
    bytes: unknown,
    variables: Record<string, unknown>,
  ): { batch: CheckedBatch | null; violations: readonly Violation[] } {
    const body = parseBody(bytes);
    if (body === undefined && operation.variables.every((variable) => variable.place !== 'body' || !variable.required))
      return { batch: null, violations: [] };
    if (body === undefined) throw new Problem('malformed_json', 'The body is empty; send a JSON object.');
    const violations = checks.body(body).map(inBody);
    if (violations.length > 0) return { batch: null, violations };
    if (operation.body === 'input') variables['input'] = body;
    if (operation.body === 'members') Object.assign(variables, body);
    if (operation.body !== 'items') return { batch: null, violations };
    const batch = checkItems((body as { items: unknown[] }).items, checks.item);
    variables['items'] = batch.items;
    return { batch, violations };
  }

  return ({ url, params, headers, body: bytes }) => {
    const variables: Record<string, unknown> = { ...defaults };
    readPath(params, variables);
    const start = url.indexOf('?');
    const { query, violations: unreadable } = readQuery(start < 0 ? '' : url.slice(start + 1));
    const violations: Violation[] = unreadable;
    readParameters(query, variables, violations);
    const choice = readChoice(query, variables, violations);
    readHeaders(headers, variables, violations);
    if (violations.length > 0) {
      const unknown = violations.some((violation) => violation.code === 'unknown_parameter');
      throw new Problem(unknown ? 'unknown_parameter' : 'parameter_invalid', summaryOf(violations), {
        errors: violations.slice(0, violationsMax),
      });
    }
    if (operation.method === 'GET') return { ...choice, variables, batch: null };
    const { batch, violations: bodyViolations } = readBody(bytes, variables);
    if (bodyViolations.length > 0) throw new Problem('validation_failed', summaryOf(bodyViolations), { errors: bodyViolations });
    return { ...choice, variables, batch };
  };
}
