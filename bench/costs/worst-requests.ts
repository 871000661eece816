/** The worst allowed request of each REST route, and of each root field of the GraphQL API. */
import { isDeepStrictEqual } from 'node:util';
import { Kind, parse, print, visit, type SelectionNode } from 'graphql';
import type { Operation } from '../../rest-bridge/operations/operation.ts';
import { createRequestReader } from '../../rest-bridge/requests/request-reader.ts';
import { createValidators } from '../../rest-bridge/requests/validators.ts';
import { isRecord } from '../../schema/records.ts';
import { restApi } from '../../wiring/rest-api.ts';
import type { CostRequest, Send } from './client.ts';

export interface WorstRequest {
  readonly name: string;
  readonly request: CostRequest;
}

const base = '/api/v1';
const largestPages = [100, 50, 20, 10];
const aliasCounts = [20, 10, 5, 3, 2];
/** Resources that are tried for a route of one resource: the one with the largest response counts. */
const triedMax = 12;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

async function listOf(send: Send, path: string): Promise<readonly unknown[]> {
  const { status, text } = await send({ path: `${base}${path}?limit=${triedMax}` });
  const body: unknown = status === 200 ? JSON.parse(text) : null;
  const data: unknown = isRecord(body) ? body['data'] : null;
  return isList(data) ? data : [];
}

const idOf = (item: unknown): string | null => {
  if (!isRecord(item)) return null;
  const { id, athlete, code } = item;
  if (isRecord(athlete) && typeof athlete['id'] === 'string' && typeof id !== 'string') return athlete['id'];
  return typeof id === 'string' ? id : typeof code === 'string' ? code : null;
};

/** The paths of a route with the ids of existing resources. */
async function pathsOf(send: Send, path: string): Promise<readonly string[]> {
  const place = /^(.*?)\/\{(\w+)\}(.*)$/.exec(path);
  if (place === null) return [path];
  const [, collection = '', , rest = ''] = place;
  const ids =
    collection === '/scouting/prospects'
      ? prospectIds(await listOf(send, collection))
      : (await listOf(send, collection)).map(idOf);
  const found: string[] = [];
  for (const id of ids) if (id !== null) found.push(...(await pathsOf(send, `${collection}/${id}${rest}`)));
  return found.slice(0, triedMax);
}

const prospectIds = (items: readonly unknown[]): (string | null)[] =>
  items.map((item) => (isRecord(item) ? idOf(item['athlete']) : null));

/** Values of parameters that have no largest value. Each text is one request. */
async function parametersOf(send: Send, { name }: Operation): Promise<readonly string[]> {
  const ids = async (path: string): Promise<string[]> => (await listOf(send, path)).map(idOf).filter((id) => id !== null);
  switch (name) {
    case 'listRecommendations': {
      const recipients = [
        ...(await ids('/opportunities')).map((id) => `opportunityId=${id}`),
        ...(await ids('/organizations')).map((id) => `organizationId=${id}`),
        ...prospectIds(await listOf(send, '/scouting/prospects')).map((id) => `athleteId=${id ?? ''}`),
      ];
      return recipients;
    }
    case 'listSimilarAthletes':
      return prospectIds(await listOf(send, '/scouting/prospects')).map((id) => `athleteId=${id ?? ''}&minConfidence=0.1`);
    case 'compareAthletes':
      return [
        `athleteId=${prospectIds(await listOf(send, '/scouting/prospects?sport=FOOTBALL'))
          .slice(0, 5)
          .join()}`,
      ];
    case 'listOpportunityMatches': {
      const [athlete = ''] = await ids('/athletes');
      return [`athleteId=${athlete}&opportunityId=${(await ids('/opportunities')).join(',')}`];
    }
    case 'suggestAthletes':
      return ['q=ma', 'q=a%20b'];
    case 'listAthletes':
    case 'discoverAthletes':
      return ['', 'q=ma', 'sport=FOOTBALL&sort=-name'];
    case 'discoverProspects':
    case 'listProspects':
      return [
        '',
        'sport=FOOTBALL&metric=goals:gte:5,assists:gte:5',
        'sport=FOOTBALL&metric=goals:gte:5,assists:gte:5&ageBand=18-20&level=NATIONAL',
      ];
    case 'listAthleteStatistics':
      return ['', 'metric=goals&sort=-value&sport=FOOTBALL'];
    default:
      return [''];
  }
}

/** The accepted requests, with the largest response first. */
async function largestFirst(send: Send, candidates: readonly string[]): Promise<string[]> {
  const accepted: { readonly path: string; readonly size: number }[] = [];
  for (const path of candidates) {
    const { status, text } = await send({ path });
    if (status === 200) accepted.push({ path, size: text.length });
    else if (![400, 403, 404].includes(status)) throw new Error(`${path}: ${status} ${text}`);
  }
  return accepted.toSorted((one, other) => other.size - one.size).map(({ path }) => path);
}

/** The GET requests with the largest page and every optional part, with the largest response first. */
async function worstReads(send: Send, operation: Operation): Promise<readonly string[]> {
  const include = operation.members.filter(({ optional }) => optional).map(({ name }) => name);
  const fixed = include.length === 0 ? [] : [`include=${include.join(',')}`];
  const takesLimit = operation.variables.some(({ wireName }) => wireName === 'limit');
  const paths = await pathsOf(send, operation.path);
  const parameters = await parametersOf(send, operation);
  for (const size of takesLimit ? largestPages : [null]) {
    const limit = size === null ? [] : [`limit=${size}`];
    const found = await largestFirst(
      send,
      paths.flatMap((path) => parameters.map((text) => `${base}${path}?${[...fixed, ...limit, text].filter(Boolean).join('&')}`)),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** The variables of a GET request. */
function variablesOf(operation: Operation, path: string): Readonly<Record<string, unknown>> {
  const [route = '', query = ''] = path.slice(base.length).split('?');
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const values = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(route)?.slice(1) ?? [];
  const params = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  const read = createRequestReader(operation, createValidators(restApi().schema)(operation), 0, new Map());
  return read({ url: `${route}?${query}`, params, headers: {}, body: undefined }).variables;
}

/** The selection with the variables of one alias: `$id` is `$id_3`. */
function underAlias(selection: SelectionNode, index: number, own: ReadonlySet<string>): SelectionNode {
  const renamed = visit(selection, {
    Variable: (node) =>
      own.has(node.name.value) ? { ...node, name: { ...node.name, value: `${node.name.value}_${index}` } } : undefined,
  });
  return renamed.kind === Kind.FIELD ? { ...renamed, alias: { kind: Kind.NAME, value: `a${index}` } } : renamed;
}

/** The document with its root field under several aliases, each with its own variables where the requests differ. */
function aliased(operation: Operation, paths: readonly string[], count: number): { query: string; variables: object } {
  const requests = Array.from({ length: count }, (_, index) => variablesOf(operation, paths[index % paths.length] ?? ''));
  const names = new Set(requests.flatMap((each) => Object.keys(each)));
  const differs = (name: string): boolean => requests.some((each) => !isDeepStrictEqual(each[name], requests[0]?.[name]));
  // fragments are shared, with the variables of optional parts
  const own = new Set([...names].filter((name) => !name.startsWith('include_') && differs(name)));
  const document = parse(operation.documents.find(({ id }) => id === operation.name)?.text() ?? '');
  const query = visit(document, {
    OperationDefinition: (node) => ({
      ...node,
      directives: [],
      variableDefinitions: (node.variableDefinitions ?? []).flatMap((definition) => {
        const { name } = definition.variable;
        if (!own.has(name.value)) return [definition];
        return requests.map((_, index) => ({
          ...definition,
          variable: { ...definition.variable, name: { ...name, value: `${name.value}_${index}` } },
        }));
      }),
      selectionSet: {
        ...node.selectionSet,
        selections: node.selectionSet.selections.flatMap((selection) =>
          requests.map((_, index) => underAlias(selection, index, own)),
        ),
      },
    }),
  });
  const variables = requests.flatMap((each, index) =>
    Object.entries(each).map(([name, value]) => [own.has(name) ? `${name}_${index}` : name, value] as const),
  );
  return { query: print(query), variables: Object.fromEntries(variables) };
}

/** The same reads in one GraphQL operation, under as many aliases as the limits allow. */
async function worstQuery(send: Send, operation: Operation, paths: readonly string[]): Promise<WorstRequest | null> {
  for (const count of aliasCounts) {
    const request = { path: '/graphql', body: JSON.stringify(aliased(operation, paths, count)) };
    const { status, text } = await send(request);
    if (status === 200 && !text.includes('"errors":['))
      return { name: `${operation.root.name.value}, ${count} aliases`, request };
  }
  return null;
}

/** Requests of all reads; routes without a resource are reported. */
export async function worstRequests(
  send: Send,
  report: (line: string) => void,
  only: readonly string[],
): Promise<WorstRequest[]> {
  const requests: WorstRequest[] = [];
  const reads = restApi().operations.filter(({ method, name }) => method === 'GET' && (only.length === 0 || only.includes(name)));
  for (const operation of reads) {
    const paths = await worstReads(send, operation);
    const [path] = paths;
    if (path === undefined) {
      report(`${operation.name}: nothing to read`);
      continue;
    }
    requests.push({ name: `GET ${operation.path}`, request: { path } });
    const query = await worstQuery(send, operation, paths);
    if (query !== null) requests.push(query);
  }
  return requests;
}
