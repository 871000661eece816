/** Every body and every response of the OpenAPI document has an example, which its schema accepts. */
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createExamples } from '../../rest-bridge/documentation/example-values.ts';
import { scalarFormats } from '../../schema/scalars.ts';
import { readText } from '../architecture/source.ts';

type Json = Readonly<Record<string, unknown>>;
interface Media {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}
interface Content {
  readonly content?: Readonly<Record<string, Media>>;
}

const document = JSON.parse(readText('schema/generated/openapi/v1.json')) as {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly requestBody?: Content; readonly responses: Readonly<Record<string, Content>> }>>
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);
ajv.addSchema({ $id: 'api.json', ...document });

/** The schema with absolute references. */
const absolute = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api.json#/components/')) as Json;

const contents = [
  ...Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => [
      ...(requestBody === undefined ? [] : [[`${method} ${path} body`, requestBody] as const]),
      ...Object.entries(responses).map(([status, response]) => [`${method} ${path} ${status}`, response] as const),
    ]),
  ),
  ...Object.entries(document.components.responses),
];
const medias = contents.flatMap(([place, { content = {} }]) =>
  // a file has no example in JSON
  Object.entries(content).flatMap(([type, media]) =>
    media.schema['format'] === 'binary' ? [] : [[`${place} ${type}`, media] as const],
  ),
);

const examplesOf = ({ example, examples = {} }: Media): unknown[] =>
  example === undefined
    ? Object.values(examples).map(({ $ref }) => document.components.examples[$ref.split('/').at(-1) ?? '']?.value)
    : [example];

test('every example is valid', () => {
  const invalid = medias.flatMap(([place, media]) => {
    const validate = ajv.compile(absolute(media.schema));
    const examples = examplesOf(media);
    if (examples.length === 0) return [`${place}: no example`];
    return examples.flatMap((example) => (validate(example) ? [] : [`${place}: ${ajv.errorsText(validate.errors)}`]));
  });
  expect(medias.length).toBeGreaterThan(200);
  expect(invalid).toEqual([]);
});

test('every problem has an example of each of its codes', () => {
  for (const [name, { content }] of Object.entries(document.components.responses)) {
    const { schema, examples = {} } = content?.['application/problem+json'] ?? { schema: {} };
    const known = JSON.stringify(absolute(schema)).match(/schemas\/\w+/g) ?? [];
    expect([name, Object.keys(examples).length > 0, known.length > 0]).toEqual([name, true, true]);
    for (const [code, { $ref }] of Object.entries(examples))
      expect(document.components.examples[$ref.split('/').at(-1) ?? '']?.value).toMatchObject({ code });
  }
});

test('a schema that contains itself has an example that ends', () => {
  const exampleOf = createExamples({
    Node: {
      type: 'object',
      properties: {
        parent: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
      required: ['parent', 'children'],
    },
  });
  expect(exampleOf({ $ref: '#/components/schemas/Node' }, 'RESPONSE')).toEqual({ parent: null, children: [] });
});

test('a text whose pattern no example matches is an error, so that an example is added', () => {
  const exampleOf = createExamples({});
  const schema = { type: 'object', properties: { plate: { type: 'string', pattern: '^\\d-\\d$' } }, required: ['plate'] };
  expect(() => exampleOf(schema, 'REQUEST')).toThrow('plate');
});
