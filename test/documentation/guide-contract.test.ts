/** The guides against the OpenAPI document: members of examples, deletions, sizes of pages and bodies, and shared names. */
import { describe, expect, test } from '@jest/globals';
import { keyPrefixes } from '../../platform/security/api-key.ts';
import { readText } from '../architecture/source.ts';
import { blocks, guidePages, section } from '../pages.ts';

interface Parameter {
  readonly name?: string;
  readonly schema?: { readonly default?: number; readonly maximum?: number };
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly 'x-body-limit'?: { readonly bytes: number } };
}
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object; readonly enum?: string[] }>> };
}

const contract: Contract = JSON.parse(readText('schema/generated/openapi/v1.json'));
const members = (schema: string): string[] => Object.keys(contract.components.schemas[schema]?.properties ?? {});
const pathsWith = (method: string, isFound: (operation: Operation) => boolean = () => true): string[] =>
  Object.entries(contract.paths).flatMap(([path, methods]) => {
    const operation = methods[method];
    return operation !== undefined && isFound(operation) ? [path] : [];
  });

describe('examples have all members', () => {
  test('of the key of /me', () => {
    const [example = '{}'] = blocks(section('docs/first-request.md', 'Get a key'), 'json');
    expect(Object.keys(JSON.parse(example).key)).toEqual(members('GetMeResponseKey'));
  });

  test('of the error of a batch item', () => {
    const [example = '{}'] = blocks(section('docs/writing-safely.md', 'Write up to 500 items at once'), 'json');
    expect(Object.keys(JSON.parse(example).data[1].error)).toEqual(members('BatchOutcomesDataError'));
  });
});

test('docs/writing-safely.md lists what can be deleted', () => {
  const text = section('docs/writing-safely.md', 'Delete');
  expect(pathsWith('delete').filter((path) => !text.includes(`\`${path}\``))).toEqual([]);
});

test('docs/pagination.md lists the exceptions of `limit`', () => {
  const differs = ({ parameters = [] }: Operation): boolean =>
    parameters.some(({ name, schema }) => name === 'limit' && (schema?.default !== 20 || schema.maximum !== 100));
  const text = section('docs/pagination.md', 'Details');
  const found = pathsWith('get', differs);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((path) => !text.includes(`\`${path}\``))).toEqual([]);
});

test('docs/request-log.md lists the filters', () => {
  const filters = contract.paths['/requests']?.['get']?.parameters?.flatMap(({ name }) => name ?? []) ?? [];
  const general = ['limit', 'cursor', 'fields', 'If-None-Match'];
  const text = section('docs/request-log.md', 'List what failed');
  expect(filters.filter((name) => !general.includes(name) && !text.includes(`\`${name}\``))).toEqual([]);
});

test('docs/limits.md lists the largest body of each kind', () => {
  const text = section('docs/limits.md', 'Size limits');
  const sizes = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ requestBody }) => {
      const limit = requestBody?.['x-body-limit'];
      return limit ? [limit.bytes / 1024] : [];
    }),
  );
  expect(Math.min(...sizes)).toBe(64);
  expect([...new Set(sizes.filter((size) => size > 1024))].sort()).toEqual([3904, 5120, 8192]);
  for (const size of ['64 KiB', '1 MiB', '5 MiB', '8 MiB']) expect(text).toContain(size);
});

test('the pattern of leaked keys finds live and test keys', () => {
  const [pattern = ''] = blocks(section('docs/keys.md', 'Find leaked keys'), 'regexp');
  for (const prefix of Object.values(keyPrefixes))
    expect(new RegExp(pattern.trim()).test(`KEY=${prefix}${'a'.repeat(12)}.${'b'.repeat(49)};`)).toBe(true);
});

test('docs/glossary.md lists the scopes of consent', () => {
  const row = /^\| consent \|.*$/m.exec(readText('docs/glossary.md'))?.[0] ?? '';
  for (const scope of contract.components.schemas['ConsentScope']?.enum ?? ['none']) expect(row).toContain(scope);
});

test('the shell variable of the key has one name', () => {
  expect(guidePages.filter((path) => readText(path).includes('$API_KEY'))).toEqual([]);
});

test('members that events do not have are not promised', () => {
  for (const path of ['docs/results.md', 'docs/rankings.md', 'docs/event-types.md'])
    expect(readText(path)).not.toMatch(/`previousVersion`|`changedCount`|includes both versions|includes the places/);
});
