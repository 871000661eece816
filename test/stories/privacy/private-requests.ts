/** Sends every private operation over GraphQL and REST, and reports the responses. */
import { getNamedType, isNonNullType, Kind } from 'graphql';
import type { ApiResponse, Client } from '../../client.ts';
import { operations, fields, noVariables, page, restOperations, type Ids } from './private-operations.ts';
import { anyVersion } from '../scouting/scouts.ts';

/** The id of no resource. */
export const unknownId = '0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11';

/** Responses as text, with every requested id replaced by the unknown one. */
export const normalized = (responses: readonly ApiResponse['body'][], of: Ids): string => {
  const text = JSON.stringify(responses).replaceAll(/"requestId":"[^"]*"/g, '');
  return Object.values(of).reduce((so, id) => so.replaceAll(id, unknownId), text);
};

/** The rows and tombstones of a REST list. */
export const rowsOf = ({ data, tombstones = [] }: ApiResponse['body']): unknown[] => [...data, ...tombstones];
interface Page {
  readonly nodes: readonly unknown[];
  readonly edges: readonly unknown[];
}
/** Every connection in a GraphQL response. */
export function pagesIn(value: unknown): Page[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('edges' in value) return [value as unknown as Page];
  return Object.values(value).flatMap(pagesIn);
}

const selection = (type: string): string => {
  if (type.endsWith('Connection')) return page;
  return type === 'BatchAnswer' ? '{ summary { failed } }' : '{ id }';
};

/** Sends an operation over GraphQL, with each of its documents; `value` is the value of the root field. */
async function sendGraphql(client: Client, name: string, ids: Ids): Promise<{ value: unknown; code: unknown; body: unknown }[]> {
  const { variablesOf, documents } = operations[name] ?? { variablesOf: noVariables };
  const field = fields.get(name);
  const given = variablesOf(ids);
  const args = (field?.args ?? []).filter(
    (argument) => argument.name in given || (isNonNullType(argument.type) && argument.defaultValue === undefined),
  );
  const [kind, root] = name.split('.');
  const declared = args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(' ');
  const passed = args.map((argument) => `${argument.name}: $${argument.name}`).join(' ');
  const document = `${kind === 'Mutation' ? 'mutation' : 'query'} ${declared && `(${declared})`} {
    ${root ?? ''} ${passed && `(${passed})`} ${selection(field ? getNamedType(field.type).name : '')} }`;
  const responses = (documents ?? [document]).map((text) => client.graphql(text, given));
  return (await Promise.all(responses)).map(({ body }) => ({
    value: Object.values(body.data ?? {})[0] ?? null,
    code: body.errors?.[0]?.extensions?.code,
    body,
  }));
}

/** Sends every REST operation with this root field. */
async function sendRest(client: Client, name: string, ids: Ids): Promise<ApiResponse[]> {
  const given = operations[name]?.variablesOf(ids) ?? {};
  const responses = (restOperations.get(name) ?? []).map(({ method, path, root, variables, body }) => {
    const value = (variable: string): unknown => {
      const argument = root.arguments?.find((each) => each.value.kind === Kind.VARIABLE && each.value.name.value === variable);
      return argument && given[argument.name.value];
    };
    const members = variables.filter(({ place }) => place === 'body');
    const sent = body === 'input' ? value('input') : body === 'items' ? { items: value('items') } : undefined;
    const allValues = Object.fromEntries(members.map((variable) => [variable.name, value(variable.name)]));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => String(value(variable)));
    const content = sent ?? (members.length > 0 ? allValues : undefined);
    const headers = {
      ...(variables.some(({ name: each }) => each === 'ifMatch') ? anyVersion : {}),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return client.send(filled, { method, headers, ...(content === undefined ? {} : { body: JSON.stringify(content) }) });
  });
  return Promise.all(responses);
}

/** Sends an operation over both APIs. */
export async function sendBoth(client: Client, name: string, target: Ids) {
  const [graph, rest] = await Promise.all([sendGraphql(client, name, target), sendRest(client, name, target)]);
  return { graph, rest, bodies: [...graph, ...rest].map(({ body }) => body) };
}
