/** Breaking changes between two OpenAPI documents: what a client of the first could send or read, and can no longer. */
import { isRecord } from '../../schema/records.ts';
import { requiredWithoutFields } from './response-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** A request must still be accepted, a response must still be understood. */
type Direction = 'REQUEST' | 'RESPONSE';

const record = (value: unknown): Json => (isRecord(value) ? value : {});
const strings = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter((each) => typeof each === 'string');

/** The members that are present; in a narrowed response, those without `fields`. */
const requiredOf = (schema: Json): readonly string[] => [
  ...strings(schema['required']),
  ...strings(schema[requiredWithoutFields]),
];

/** Whether a schema is that of a problem, or has those of several codes. */
const isProblem = (schema: Json): boolean =>
  schema['discriminator'] !== undefined || record(schema['properties'])['requestId'] !== undefined;

/** Bounds that reject more when they grow, or when they shrink. */
const lowerBounds = ['minimum', 'minLength', 'minItems'] as const;
const upperBounds = ['maximum', 'maxLength', 'maxItems'] as const;

/** Whether a text is one group, `(…)`: its first parenthesis is closed by its last one. */
function isGroup(text: string): boolean {
  if (!/^\([^\\[\]]*\)$/.test(text)) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth === 0 && index < text.length - 1) return false;
  }
  return depth === 0;
}

/** Whether a pattern is another one with an optional group before its end: it then accepts every text that the other one accepts. */
function extendsPattern(was: unknown, is: unknown): boolean {
  if (typeof was !== 'string' || typeof is !== 'string' || !was.endsWith('$') || !is.endsWith(')?$')) return false;
  const start = was.slice(0, -1);
  return is.startsWith(start) && isGroup(is.slice(start.length, -2));
}

/** Compares two documents of one major version. Additions that clients may ignore are no breaking changes. */
export function findBreakingChanges(before: Json, after: Json): string[] {
  const changes: string[] = [];
  const compared = new Set<string>();

  function resolve(document: Json, schema: unknown): Json {
    const { $ref: reference } = record(schema);
    if (typeof reference !== 'string') return record(schema);
    return reference
      .slice(2)
      .split('/')
      .reduce<Json>((value, part) => record(value[part]), document);
  }

  function compareBounds(at: string, was: Json, is: Json): void {
    const grown = lowerBounds.filter((name) => Number(is[name] ?? -Infinity) > Number(was[name] ?? -Infinity));
    const shrunk = upperBounds.filter((name) => Number(is[name] ?? Infinity) < Number(was[name] ?? Infinity));
    for (const name of [...grown, ...shrunk]) changes.push(`${at}: ${name} is stricter`);
    for (const name of ['pattern', 'format'] as const)
      if (is[name] !== undefined && is[name] !== was[name] && !extendsPattern(was[name], is[name]))
        changes.push(`${at}: ${name} is now ${JSON.stringify(is[name])}`);
    const missing = strings(was['enum']).filter((value) => is['enum'] !== undefined && !strings(is['enum']).includes(value));
    if (missing.length > 0) changes.push(`${at}: no longer accepts ${missing.join(', ')}`);
    if (was['enum'] === undefined && is['enum'] !== undefined) changes.push(`${at}: accepts listed values only`);
  }

  function compareMembers(at: string, was: Json, is: Json, direction: Direction): void {
    const [old, now] = [record(was['properties']), record(is['properties'])];
    const [wasRequired, isRequired] = [requiredOf(was), requiredOf(is)];
    for (const [name, schema] of Object.entries(old)) {
      if (now[name] === undefined) changes.push(`${at}.${name}: removed`);
      else compareSchemas(`${at}.${name}`, schema, now[name], direction);
    }
    const added = isRequired.filter((name) => !wasRequired.includes(name));
    if (direction === 'REQUEST') for (const name of added) changes.push(`${at}.${name}: became required`);
    const lost = wasRequired.filter((name) => now[name] !== undefined && !isRequired.includes(name));
    if (direction === 'RESPONSE') for (const name of lost) changes.push(`${at}.${name}: can be absent`);
  }

  function compareTypes(at: string, was: Json, is: Json, direction: Direction): void {
    const [old, now] = [strings(was['type']), strings(is['type'])];
    const [narrow, wide] = direction === 'REQUEST' ? [now, old] : [old, now];
    const unknown = wide.filter((type) => !narrow.includes(type) && !(type === 'integer' && narrow.includes('number')));
    if (narrow.length > 0 && unknown.length > 0)
      changes.push(`${at}: the type was ${old.join(' or ')} and is ${now.join(' or ')}`);
  }

  /** The alternatives of a schema without null, which `anyOf` adds to references. */
  const alternatives = (schema: Json): readonly unknown[] =>
    Array.isArray(schema['anyOf']) ? schema['anyOf'].filter((each) => record(each)['type'] !== 'null') : [];

  /** The first alternatives, and whether null is one. */
  function compareAlternatives(at: string, was: Json, is: Json, direction: Direction): void {
    const isNullable = (schema: Json): boolean =>
      Array.isArray(schema['anyOf']) && schema['anyOf'].length > alternatives(schema).length;
    const [narrow, wide] = direction === 'REQUEST' ? [is, was] : [was, is];
    if (isNullable(wide) && !isNullable(narrow))
      changes.push(`${at}: null is ${direction === 'REQUEST' ? 'no longer accepted' : 'possible'}`);
    compareSchemas(at, alternatives(was)[0] ?? was, alternatives(is)[0] ?? is, direction);
  }

  function compareSchemas(at: string, oldSchema: unknown, newSchema: unknown, direction: Direction): void {
    const key = `${direction} ${JSON.stringify([record(oldSchema)['$ref'], record(newSchema)['$ref']])}`;
    // components contain each other, and each pair is compared once
    if (record(oldSchema)['$ref'] !== undefined && record(newSchema)['$ref'] !== undefined) {
      if (compared.has(key)) return;
      compared.add(key);
    }
    const [was, is] = [resolve(before, oldSchema), resolve(after, newSchema)];
    if (isProblem(was) || isProblem(is)) return compareProblems(at, was, is, direction);
    if (alternatives(was).length > 0 || alternatives(is).length > 0) return compareAlternatives(at, was, is, direction);
    compareTypes(at, was, is, direction);
    if (direction === 'REQUEST') compareBounds(at, was, is);
    compareMembers(at, was, is, direction);
    if (was['items'] !== undefined && is['items'] !== undefined) compareSchemas(`${at}[]`, was['items'], is['items'], direction);
  }

  /** The schemas of problems by code. A response without further kinds of problems has one schema for all of its codes. */
  function compareProblems(at: string, was: Json, is: Json, direction: Direction): void {
    const mappingOf = (schema: Json): Json => record(record(schema['discriminator'])['mapping']);
    const schemaOf = (document: Json, schema: Json, code: string): Json => {
      const { [code]: reference } = mappingOf(schema);
      return typeof reference === 'string' ? resolve(document, { $ref: reference }) : schema;
    };
    const codesOf = (schema: Json): readonly string[] => strings(record(record(schema['properties'])['code'])['enum']);
    for (const code of [...codesOf(was), ...Object.keys(mappingOf(was))]) {
      const [old, now] = [schemaOf(before, was, code), schemaOf(after, is, code)];
      // a code that is no longer returned breaks no client
      if (now['oneOf'] !== undefined) continue;
      const shared = codesOf(old).length > 1;
      // a schema of several codes promises each of them only what it requires
      const promised = Object.entries(record(old['properties'])).filter(([name]) => !shared || requiredOf(old).includes(name));
      compareMembers(`${at} ${code}`, { ...old, properties: Object.fromEntries(promised) }, now, direction);
    }
  }

  function compareHeaders(at: string, was: Json, is: Json): void {
    const headers = record(is['headers']);
    for (const name of Object.keys(record(was['headers'])))
      if (headers[name] === undefined) changes.push(`${at}: the header ${name} was removed`);
  }

  function compareParameters(at: string, was: unknown, is: unknown): void {
    const keyed = (list: unknown): Map<string, Json> =>
      new Map(
        (Array.isArray(list) ? list : []).map((each) => [
          `${String(record(each)['in'])} ${String(record(each)['name'])}`,
          record(each),
        ]),
      );
    const [old, now] = [keyed(was), keyed(is)];
    for (const [name, parameter] of old) {
      const next = now.get(name);
      if (next === undefined) changes.push(`${at} ${name}: removed`);
      else compareSchemas(`${at} ${name}`, parameter['schema'], next['schema'], 'REQUEST');
    }
    for (const [name, parameter] of now)
      if (parameter['required'] === true && old.get(name)?.['required'] !== true) changes.push(`${at} ${name}: became required`);
  }

  function compareContent(at: string, was: unknown, is: unknown, direction: Direction): void {
    for (const [type, media] of Object.entries(record(was))) {
      const next = record(is)[type];
      if (next === undefined) changes.push(`${at}: ${type} was removed`);
      else compareSchemas(at, record(media)['schema'], record(next)['schema'], direction);
    }
  }

  function compareOperations(at: string, was: Json, is: Json): void {
    compareParameters(at, was['parameters'], is['parameters']);
    const [body, newBody] = [record(was['requestBody']), record(is['requestBody'])];
    if (newBody['required'] === true && body['required'] !== true) changes.push(`${at}: a body became required`);
    compareContent(`${at} body`, body['content'], newBody['content'], 'REQUEST');
    const isAnonymous = (operation: Json): boolean =>
      Array.isArray(operation['security']) && operation['security'].some((each) => Object.keys(record(each)).length === 0);
    if (isAnonymous(was) && !isAnonymous(is)) changes.push(`${at}: requires a key`);
    const scopes = strings(is['x-required-scopes']).filter((scope) => !strings(was['x-required-scopes']).includes(scope));
    for (const scope of scopes) changes.push(`${at}: requires the scope ${scope}`);
    const formats = strings(was['x-bulk-formats']).filter((format) => !strings(is['x-bulk-formats']).includes(format));
    for (const format of formats) changes.push(`${at}: ${format} was removed`);
    if (was['operationId'] !== is['operationId'])
      changes.push(`${at}: the operation was ${String(was['operationId'])} and is ${String(is['operationId'])}`);
    for (const [status, response] of Object.entries(record(was['responses']))) {
      const next = record(is['responses'])[status];
      if (next === undefined && status.startsWith('2')) changes.push(`${at}: no longer responds with ${status}`);
      if (next === undefined) continue;
      const [old, now] = [resolve(before, response), resolve(after, next)];
      compareHeaders(`${at} ${status}`, old, now);
      compareContent(`${at} ${status}`, old['content'], now['content'], 'RESPONSE');
    }
  }

  for (const [path, methods] of Object.entries(record(before['paths']))) {
    for (const [method, operation] of Object.entries(record(methods))) {
      const next = record(record(after['paths'])[path])[method];
      const at = `${method.toUpperCase()} ${path}`;
      if (next === undefined) changes.push(`${at}: removed`);
      else compareOperations(at, record(operation), record(next));
    }
  }
  return changes;
}
