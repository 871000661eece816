/** The reads of the OpenAPI document that return JSON: calendars have their own tests. */
import { readText } from '../../architecture/source.ts';

interface Parameter {
  readonly name: string;
  readonly schema: { readonly items?: { readonly enum?: readonly string[] } };
}

export interface Read {
  readonly operationId: string;
  readonly path: string;
  /** The names of all parameters. */
  readonly parameters: readonly string[];
  /** The values of `fields`. */
  readonly members: readonly string[];
  /** The values of `include`. */
  readonly optional: readonly string[];
}

const document = JSON.parse(readText('schema/generated/openapi/v1.json')) as {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly operationId: string; readonly parameters?: readonly Parameter[] } }>
  >;
};

export const readOperations: readonly Read[] = Object.entries(document.paths).flatMap(([path, { get }]) => {
  const valuesOf = (name: string): readonly string[] =>
    get?.parameters?.find((parameter) => parameter.name === name)?.schema.items?.enum ?? [];
  // a stream does not end
  return get === undefined || path.endsWith('.ics') || path === '/events/stream'
    ? []
    : [
        {
          operationId: get.operationId,
          path,
          parameters: (get.parameters ?? []).map(({ name }) => name),
          members: valuesOf('fields'),
          optional: valuesOf('include'),
        },
      ];
});
