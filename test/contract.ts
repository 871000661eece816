/**
 * Compares the responses that tests receive over REST with the OpenAPI document: status, content type, headers and body. Stricter than the
 * document where clients must be more lenient: unknown members are violations, and without `fields` no member may be absent.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { requiredWithoutFields } from '../rest-bridge/documentation/response-schema.ts';
import { isRecord } from '../schema/records.ts';
import { scalarFormats } from '../schema/scalars.ts';

interface Responses {
  readonly [status: string]: {
    readonly $ref?: string;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly content?: Readonly<Record<string, unknown>>;
  };
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly responses: Responses;
            readonly 'x-bulk-formats'?: readonly string[];
            readonly 'x-document-formats'?: readonly string[];
          }
        >
      >
    >
  >;
  readonly components: {
    readonly responses: Responses;
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  };
}

// Cast: the document is generated and has its own tests.
const document = JSON.parse(readFileSync(new URL('../schema/generated/openapi/v1.json', import.meta.url), 'utf8')) as Document;

/** A copy in which objects allow no unknown members and, without `fields`, no absent ones. */
function strict(value: unknown, hasFields: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => strict(each, hasFields));
  if (!isRecord(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strict(inner, hasFields)]));
  const { [requiredWithoutFields]: required, ...schema } = copy;
  const isObjectSchema = value['type'] === 'object' && isRecord(value['properties']);
  return {
    ...(isObjectSchema ? { additionalProperties: false } : {}),
    ...schema,
    ...(required === undefined || hasFields ? {} : { required }),
  };
}

function openAjv(hasFields: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);
  // Cast: a copy of the document.
  ajv.addSchema({ $id: 'api.json', ...(strict(document, hasFields) as Document) });
  return ajv;
}

const complete = openAjv(false);
const narrowed = openAjv(true);

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Validators by the place of their schema, compiled on first use. */
const validators = new Map<string, ValidateFunction>();
function validatorOf(pointer: readonly string[], hasFields: boolean): ValidateFunction {
  const path = pointer.map(escaped).join('/');
  const key = `${String(hasFields)} ${path}`;
  const known = validators.get(key) ?? (hasFields ? narrowed : complete).compile({ $ref: `api.json#/${path}` });
  validators.set(key, known);
  return known;
}

const patterns = Object.keys(document.paths)
  // a literal segment wins over a parameter
  .sort((one, other) => one.split('{').length - other.split('{').length)
  .map((path) => ({
    path,
    pattern: new RegExp(`^/api/v1${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

export interface ReceivedResponse {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Throws an Error for a response that the document does not declare. Paths and methods that it does not have are not checked. */
export function expectContract({ method, path, status, headers, text }: ReceivedResponse): void {
  const [plain = ''] = path.split('?', 1);
  const template = patterns.find(({ pattern }) => pattern.test(plain))?.path;
  const operation =
    template === undefined ? undefined : document.paths[template]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (template === undefined || operation === undefined) return;
  const fail = (reason: string): never => {
    throw new Error(`The document does not allow this response: ${method} ${path} ${status}: ${reason}\n${text.slice(0, 500)}`);
  };
  const declared = operation.responses[String(status)];
  if (declared === undefined) return fail(`it declares ${Object.keys(operation.responses).join(', ')}`);
  const name = declared.$ref?.split('/').at(-1);
  const { headers: expected = {}, content = {} } = name === undefined ? declared : (document.components.responses[name] ?? {});
  const required = Object.keys(expected).filter((header) => document.components.headers[header]?.required === true);
  const missing = required.filter((header) => !headers.has(header));
  if (missing.length > 0) fail(`without ${missing.join(', ')}`);
  const unknown = Object.keys(document.components.headers).filter((header) => headers.has(header) && !(header in expected));
  if (unknown.length > 0) fail(`with ${unknown.join(', ')}`);
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (method === 'HEAD' || text === '') return;
  const otherFormats = [...(operation['x-bulk-formats'] ?? []), ...(operation['x-document-formats'] ?? [])];
  if (status === 200 && otherFormats.includes(type)) return;
  if (content[type] === undefined) fail(`its content type is ${type}`);
  if (!/[/+]json$/.test(type)) return;
  const pointer =
    name === undefined
      ? ['paths', template, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
      : ['components', 'responses', name, 'content', type, 'schema'];
  const validate = validatorOf(pointer, /[?&]fields=/.test(path));
  if (!validate(JSON.parse(text))) fail(complete.errorsText(validate.errors?.slice(0, 3), { dataVar: 'body' }));
}
