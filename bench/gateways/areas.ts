/** The areas of the shop as every gateway meets them: each query compiled once; in the gateway's process, or behind a door. */
import { parse, type DocumentNode, type ExecutionResult } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { OpenPart } from '../part.ts';
import { openDoor } from './door.ts';
import { shopAreas, shopSchema, type ShopAreaName } from './shop.ts';

export interface AreaQuery {
  /** A text, or the document that a gateway holds instead. */
  readonly query: string | DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
}

export type AskArea = (query: AreaQuery) => Promise<ExecutionResult>;

export interface OpenAreas {
  /** Throws when there is no such area. */
  of(name: string): AskArea;
  /** Queries answered so far. */
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
      const ask = opened.get(name);
      if (ask === undefined) throw new Error(`The shop has no area ${name}.`);
      return (query) => {
        fetches += 1;
        return ask(query);
      };
    },
    fetches: () => fetches,
  };
}

/** One area behind a door of its own. */
export function openAreaDoor(name: ShopAreaName): Promise<OpenPart> {
  const ask = openArea(name);
  let fetches = 0;
  return openDoor({
    answer(request) {
      fetches += 1;
      return ask(request);
    },
    fetches: () => fetches,
  });
}
