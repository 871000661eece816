/** Hive's router runtime over the shop: only its executor, loaded from a folder outside the project (docs/bench.md). */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { print, type DocumentNode, type ExecutionResult } from 'graphql';
import { Pool } from 'undici';
import { openAreas, type AskArea } from './areas.ts';
import { createReader, serveQueries } from './query-server.ts';
import { shopAreas } from './shop.ts';
import type { OpenGateway } from './supergraph.ts';

interface Request {
  readonly document: DocumentNode;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

/** The part of the package that is used here. */
interface RouterRuntime {
  readonly unifiedGraphHandler: (options: {
    readonly unifiedGraph: unknown;
    readonly getUnifiedGraphSDL: () => string;
    readonly onSubgraphExecute: (name: string, request: Request) => Promise<ExecutionResult>;
  }) => Promise<{ readonly executor: (request: Request & { readonly context: object }) => Promise<ExecutionResult> }>;
}

interface Graphql {
  readonly buildSchema: (sdl: string, options: object) => unknown;
}

/** A connection pool like the platform's transport; each query is printed once. This favors the peer: its own transport does more. */
function remote(url: string): AskArea & { close(): Promise<void> } {
  const pool = new Pool(url, { connections: 64 });
  const texts = new WeakMap<DocumentNode, string>();
  const execute: AskArea = async ({ query, variables, operationName }) => {
    const document = query as DocumentNode;
    const text = texts.get(document) ?? print(document);
    texts.set(document, text);
    const response = await pool.request({
      path: '/graphql',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, variables, operationName }),
    });
    return (await response.body.json()) as ExecutionResult;
  };
  return Object.assign(execute, { close: () => pool.close() });
}

export const openPeer: OpenGateway = async ({ supergraphSdl, apiSdl, peer }, addresses) => {
  if (peer === null) throw new Error('Say where the peer is installed: --peer FOLDER.');
  const { resolve } = createRequire(join(peer, 'package.json'));
  const load = async (name: string): Promise<unknown> => import(pathToFileURL(resolve(name)).href);
  const { unifiedGraphHandler } = (await load('@graphql-hive/router-runtime')) as RouterRuntime;
  const { buildSchema } = (await load('graphql')) as Graphql;
  const areas = addresses === null ? openAreas() : null;
  const pools = addresses === null ? [] : shopAreas.map((name) => [name, remote(addresses[`shop ${name}`] ?? '')] as const);
  const asks = new Map<string, AskArea>(areas === null ? pools : shopAreas.map((name) => [name, areas.of(name)]));
  const { executor } = await unifiedGraphHandler({
    unifiedGraph: buildSchema(supergraphSdl, { assumeValidSDL: true }),
    getUnifiedGraphSDL: () => supergraphSdl,
    async onSubgraphExecute(name, { document, variables = {}, operationName = null }) {
      // the planner passes the name of the enum value
      const execute = asks.get(name.toLowerCase());
      if (execute === undefined) throw new Error(`The shop has no area ${name}.`);
      return execute({ query: document, variables, operationName });
    },
  });
  const read = createReader(apiSdl);
  return serveQueries({
    respond: ({ query, variables, operationName }) =>
      executor({ document: read(query), variables, context: {}, ...(operationName === null ? {} : { operationName }) }),
    ...(areas === null ? {} : { fetches: areas.fetches }),
    close: async () => void (await Promise.all(pools.map(([, pool]) => pool.close()))),
  });
};
