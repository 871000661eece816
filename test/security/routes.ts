/** The REST routes of the OpenAPI document, as targets of attacks. */
import { isRecord } from '../../schema/records.ts';
import { readText } from '../architecture/source.ts';

export interface Route {
  readonly method: string;
  /** Below /api/v1, with placeholders. */
  readonly template: string;
  /** The full path with a random id in each placeholder. */
  readonly path: string;
  readonly needsKey: boolean;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: unknown }[];
}

/** An id that no resource has. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

const document: unknown = JSON.parse(readText('schema/generated/openapi/v1.json'));
const membersOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const resolve = (value: unknown): unknown => {
  const reference = isRecord(value) ? value['$ref'] : undefined;
  if (typeof reference !== 'string') return value;
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((all, part) => (isRecord(all) ? all[part] : undefined), document);
};

/** Every route. */
export const routes: readonly Route[] = membersOf(isRecord(document) ? document['paths'] : {}).flatMap(([template, item]) =>
  membersOf(item)
    .filter(([method]) => /^(?:get|post|put|patch|delete)$/.test(method))
    .map(([method, operation]) => {
      const { parameters, security } = isRecord(operation) ? operation : {};
      return {
        method: method.toUpperCase(),
        template,
        path: `/api/v1${template.replaceAll(/\{\w+\}/g, unknownId)}`,
        needsKey: !listOf(security).some((each) => membersOf(each).length === 0),
        parameters: listOf(parameters)
          .map(resolve)
          .flatMap((each) =>
            isRecord(each) ? [{ name: String(each['name']), in: String(each['in']), schema: resolve(each['schema']) }] : [],
          ),
      };
    }),
);
