/** The areas of the shop, the same for every gateway: each query is compiled once. They run in the gateway's process or behind HTTP. */
import { parse, type DocumentNode, type ExecutionResult } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { OpenPart } from '../part.ts';
import { serveQueries } from './query-server.ts';
import { shopAreas, shopSchema, type ShopAreaName } from './shop.ts';

export interface AreaQuery {
  /** The query text, or the parsed document that a gateway uses instead. */
  readonly query: string | DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
}

export type AskArea = (query: AreaQuery) => Promise<ExecutionResult>;

export interface OpenAreas {
  /** Throws when there is no area with this name. */
  of(name: string): AskArea;
  /** Queries responded so far. */
  fetches(): number;
}

/** Throws for a query that does not fit the area's schema. */
function openArea(name: ShopAreaName): AskArea {
  const schema = shopSchema(name);
  const known = new Map<string | DocumentNode, CompiledQuery>();
  function compile(query: string | DocumentNode, operationName: string | null): CompiledQuery {
    const made = compileQuery(schema, typeof query === 'string' ? parse(query) : query, operationName ?? undefined);
    if (!isCompiledQuery(made)) throw new Error(`${name}: ${JSON.stringify(made.errors)}`);
    known.set(query, made);
    return made;
  }
  return async ({ query, variables, operationName }) => {
    const compiled = known.get(query) ?? compile(query, operationName);
    return compiled.query(undefined, {}, variables);
  };
}

/** All areas in this process. */
export function openAreas(): OpenAreas {
  let fetches = 0;
  const opened = new Map<string, AskArea>(shopAreas.map((name) => [name, openArea(name)]));
  return {
    of(name) {
      const execute = opened.get(name);
      if (execute === undefined) throw new Error(`The shop has no area ${name}.`);
      return (query) => {
        fetches += 1;
        return execute(query);
      };
    },
    fetches: () => fetches,
  };
}

/** The key of framed connections between our router and the areas. */
export const shopKey = Buffer.alloc(32, 1);

/** Serves one area over HTTP, and over framed connections for our router. */
export function serveArea(name: ShopAreaName): Promise<OpenPart> {
  const execute = openArea(name);
  let fetches = 0;
  return serveQueries({
    respond(request) {
      fetches += 1;
      return execute(request);
    },
    fetches: () => fetches,
    frameKey: shopKey,
  });
}
