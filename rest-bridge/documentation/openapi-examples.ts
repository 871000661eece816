/** Adds an example to every body and every response of an OpenAPI document. Those of components are components, too. */
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import { createExamples, type ExampleKind } from './example-values.ts';
import type { OpenApiDocument } from './openapi.ts';

type Example = (schema: JsonSchema, kind: ExampleKind) => unknown;

const recordOf = (value: unknown): JsonSchema => (isRecord(value) ? value : {});

/** A copy of the document with examples. Deterministic. */
export function withExamples(document: OpenApiDocument): OpenApiDocument {
  const exampleOf: Example = createExamples(document.components['schemas'] ?? {});
  const shared = new Map<string, JsonSchema>();

  /** The example of a media type: a component if its schema is one. */
  function withExample(media: JsonSchema, kind: ExampleKind): JsonSchema {
    const schema = recordOf(media['schema']);
    // a file has no example in JSON
    if (schema['format'] === 'binary') return media;
    const { $ref: reference } = schema;
    const name = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : null;
    if (name === null) return { ...media, example: exampleOf(schema, kind) };
    if (!shared.has(name)) shared.set(name, { value: exampleOf(schema, kind) });
    return { ...media, examples: { default: { $ref: `#/components/examples/${name}` } } };
  }

  function withContent(value: JsonSchema, kind: ExampleKind): JsonSchema {
    if (!isRecord(value['content'])) return value;
    const content = Object.entries(value['content']).map(([type, media]) => [type, withExample(recordOf(media), kind)] as const);
    return { ...value, content: Object.fromEntries(content) };
  }

  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => {
          const responses = Object.entries(operation.responses).map(
            ([status, response]) => [status, withContent(response, 'RESPONSE')] as const,
          );
          const body = operation.requestBody ? { requestBody: withContent(operation.requestBody, 'REQUEST') } : {};
          return [method, { ...operation, ...body, responses: Object.fromEntries(responses) }];
        }),
      ),
    ]),
  );
  const examples = Object.fromEntries([...shared].sort(([one], [other]) => (one < other ? -1 : 1)));
  return {
    ...document,
    paths,
    components: { ...document.components, examples: { ...examples, ...document.components['examples'] } },
  };
}
