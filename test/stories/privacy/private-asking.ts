/** Asks at the doors to what is private, and says what came of it. */
import { getNamedType, isNonNullType, Kind } from 'graphql';
import type { Answer, Client } from '../../client.ts';
import { doors, fields, nothing, page, restDoors, type Ids } from './private-doors.ts';
import { anyVersion } from '../scouting/scouts.ts';

/** The id of nothing. */
export const nobody = '0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11';

/** What answers mean, with every id that was asked for called like one of nobody. */
export const meaning = (answers: readonly Answer['body'][], of: Ids): string => {
  const text = JSON.stringify(answers).replaceAll(/"requestId":"[^"]*"/g, '');
  return Object.values(of).reduce((so, id) => so.replaceAll(id, nobody), text);
};

/** What a list of REST shows. */
export const rowsOf = ({ data, tombstones = [] }: Answer['body']): unknown[] => [...data, ...tombstones];
interface Page {
  readonly nodes: readonly unknown[];
  readonly edges: readonly unknown[];
}
/** Every page in an answer of the graph. */
export function pagesIn(value: unknown): Page[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('edges' in value) return [value as unknown as Page];
  return Object.values(value).flatMap(pagesIn);
}

const selection = (type: string): string => {
  if (type.endsWith('Connection')) return page;
  return type === 'BatchAnswer' ? '{ summary { failed } }' : '{ id }';
};

/** Asks at a door of the graph by each way there is; `value` is what came of the root field. */
async function askGraph(client: Client, name: string, ids: Ids): Promise<{ value: unknown; code: unknown; body: unknown }[]> {
  const { says, ways } = doors[name] ?? { says: nothing };
  const field = fields.get(name);
  const said = says(ids);
  const args = (field?.args ?? []).filter(
    (argument) => argument.name in said || (isNonNullType(argument.type) && argument.defaultValue === undefined),
  );
  const [kind, root] = name.split('.');
  const declared = args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(' ');
  const passed = args.map((argument) => `${argument.name}: $${argument.name}`).join(' ');
  const document = `${kind === 'Mutation' ? 'mutation' : 'query'} ${declared && `(${declared})`} {
    ${root ?? ''} ${passed && `(${passed})`} ${selection(field ? getNamedType(field.type).name : '')} }`;
  const answers = (ways ?? [document]).map((text) => client.graphql(text, said));
  return (await Promise.all(answers)).map(({ body }) => ({
    value: Object.values(body.data ?? {})[0] ?? null,
    code: body.errors?.[0]?.extensions?.code,
    body,
  }));
}

/** Asks at each REST path of a door. */
async function askRest(client: Client, name: string, ids: Ids): Promise<Answer[]> {
  const said = doors[name]?.says(ids) ?? {};
  const answers = (restDoors.get(name) ?? []).map(({ method, path, root, variables, body }) => {
    const value = (variable: string): unknown => {
      const argument = root.arguments?.find((each) => each.value.kind === Kind.VARIABLE && each.value.name.value === variable);
      return argument && said[argument.name.value];
    };
    const members = variables.filter(({ place }) => place === 'body');
    const sent = body === 'input' ? value('input') : body === 'items' ? { items: value('items') } : undefined;
    const together = Object.fromEntries(members.map((variable) => [variable.name, value(variable.name)]));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => String(value(variable)));
    const content = sent ?? (members.length > 0 ? together : undefined);
    const headers = {
      ...(variables.some(({ name: each }) => each === 'ifMatch') ? anyVersion : {}),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return client.send(filled, { method, headers, ...(content === undefined ? {} : { body: JSON.stringify(content) }) });
  });
  return Promise.all(answers);
}

/** Both doors by one name. */
export async function ask(client: Client, name: string, target: Ids) {
  const [graph, rest] = await Promise.all([askGraph(client, name, target), askRest(client, name, target)]);
  return { graph, rest, bodies: [...graph, ...rest].map(({ body }) => body) };
}
