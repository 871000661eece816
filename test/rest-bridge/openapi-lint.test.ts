/** The OpenAPI document has no errors and no warnings of Redocly's rules, as a whole, as YAML, and in each area. */
import { expect, test } from '@jest/globals';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildSchema } from 'graphql';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { openApiDocument, type OpenApiDocument } from '../../rest-bridge/documentation/openapi.ts';
import { documentOfTag } from '../../rest-bridge/documentation/openapi-parts.ts';
import { loadOperations } from '../../rest-bridge/operations/load-operations.ts';
import { readText } from '../architecture/source.ts';

const apiSchema = buildSchema(readText('schema/generated/api.graphql'));
const publicUrl = 'https://api.talent.test';
const document = openApiDocument({ apiSchema, operations: loadOperations(apiSchema), major: 1, publicUrl });

/** The messages of Redocly about a document. */
async function messagesOf(source: string): Promise<string[]> {
  const config = await loadConfig({ configPath: join(import.meta.dirname, '../../redocly.yaml') });
  const problems = await lintFromString({ source, config, absoluteRef: join(import.meta.dirname, 'openapi.json') });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
}

test('the document has no error and no warning', async () => {
  expect(await messagesOf(JSON.stringify(document))).toEqual([]);
});

test('the rules find an operation without a response', async () => {
  const { get, ...others } = document.paths['/plans'] ?? {};
  const broken = { ...document, paths: { '/plans': { ...others, get: { ...get, responses: {} } } } };
  expect((await messagesOf(JSON.stringify(broken))).join()).toContain('operation-2xx-response');
});

const tags = document.tags.map(({ name }) => name);

test.each(tags)(
  'the document of %s has all operations of the area, and no error and no warning',
  async (tag) => {
    const area: OpenApiDocument = documentOfTag(document, tag);
    const paths = (of: OpenApiDocument): string[] => Object.keys(of.paths).filter((path) => path.split(/[/.]/)[1] === tag);
    expect(Object.keys(area.paths)).toEqual(paths(document));
    expect(await messagesOf(JSON.stringify(area))).toEqual([]);
  },
  120_000,
);

test('the YAML document equals the JSON document', () => {
  expect(parse(stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }))).toEqual(
    JSON.parse(JSON.stringify(document)),
  );
});

test('the server is absolute', () => {
  expect(document.servers).toEqual([{ url: 'https://api.talent.test/api/v1' }]);
});

test('every operation has a description, every tag is described, and created and listed resources have links', () => {
  for (const { name, description } of document.tags)
    expect([name, description]).toEqual([name, expect.stringMatching(/\w+ \w+.*\.$/)]);
  expect(document.tags.filter(({ description }) => description.startsWith('Routes below'))).toEqual([]);
  const linked = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ description, responses }) => {
      expect(description).not.toBe('');
      return Object.values(responses).flatMap(({ links }) => Object.keys(links ?? {}));
    }),
  );
  expect(linked).toEqual(expect.arrayContaining(['getAthlete', 'getOrganization', 'getMatch', 'getOpportunity']));
});

test('names of components are short', () => {
  expect(Object.keys(document.components['schemas'] ?? {}).filter((name) => name.length > 50)).toEqual([]);
});

test('no path matches two templates, because parameters reject the literal segments of other paths', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const segmentsOf = (path: string) => {
    const parameters = Object.values(document.paths[path] ?? {}).flatMap((operation) => operation.parameters ?? []);
    return path.split('/').map((segment) => {
      const name = /^\{(.*)\}$/.exec(segment)?.[1];
      return {
        literal: name === undefined ? segment : null,
        schema: parameters.find((each) => each['name'] === name)?.['schema'],
      };
    });
  };
  type Segment = ReturnType<typeof segmentsOf>[number];
  const isApart = (one: Segment, other: Segment | undefined): boolean => {
    if (other === undefined) return true;
    if (one.literal !== null && other.literal !== null) return one.literal !== other.literal;
    const literal = one.literal ?? other.literal;
    const schema = one.literal === null ? one.schema : other.schema;
    return literal !== null && typeof schema === 'object' && schema !== null && !ajv.validate(schema, literal);
  };
  const templates = Object.keys(document.paths).map((path) => ({ path, segments: segmentsOf(path) }));
  const ambiguous = templates.flatMap(({ path, segments }, index) =>
    templates
      .slice(index + 1)
      .filter((other) => other.segments.length === segments.length)
      .filter((other) => !segments.some((segment, at) => isApart(segment, other.segments[at])))
      .map((other) => [path, other.path]),
  );
  expect(ambiguous).toEqual([]);
});
