/** All the boilerplate of an area, once: a schema of the federation, its context, and the two ways to call it. */
import { buildSubgraphSchema } from '@apollo/subgraph';
import DataLoader from 'dataloader';
import Fastify, { type FastifyInstance } from 'fastify';
import { parse, type GraphQLResolveInfo } from 'graphql';
import mercurius from 'mercurius';
import type { Area } from '../schema/areas.ts';
import { areaTypeDefs } from '../schema/type-defs.ts';
import type { Graph, Notes } from '../schema/door.ts';
import type { Viewer } from '../schema/viewer.ts';
import type { CursorCodec } from '../platform/cursor.ts';
import type { Database } from '../platform/database.ts';
import type { Constraints } from '../platform/constraint.ts';
import { createWriter, type Writer } from '../platform/write.ts';
import type { Consumer } from '../platform/relay.ts';
import { scalarResolvers } from './scalars.ts';

/** What every resolver is given: who asks, and how to read in batches. */
export interface Context {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** Told to the door with the answer. */
  readonly notes: Notes;
  /** A call back through the router with the same viewer, uncharged. */
  readonly graph: Graph;
  /** Batches and deduplicates reads of one request: one DataLoader per batch function. */
  load<Key, Row>(read: BatchRead<Key, Row>, key: Key): Promise<Row | null>;
}

/** Reads many keys in one statement; the result has a row or null for each key, in their order. */
export type BatchRead<Key, Row> = (keys: readonly Key[], context: Context) => Promise<readonly (Row | null)[]>;

/** What an area is given to build its store from. */
export interface AreaServices {
  readonly database: Database;
  readonly cursors: CursorCodec;
  readonly writer: Writer;
}

/** An area: its name and its parts. */
export interface AreaDefinition {
  readonly name: Area;
  /** Resolvers of its schema.graphql, over its own store. */
  readonly resolvers: (services: AreaServices) => Record<string, unknown>;
  /** Violated constraints that are the caller's to mend. */
  readonly constraints?: Constraints;
  /** Its projections of other areas' events. */
  readonly consumers?: (services: AreaServices) => readonly Consumer[];
}

export interface SubgraphRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | undefined;
  readonly viewer: Viewer;
  readonly requestId: string;
}

export interface SubgraphAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly unknown[];
  readonly extensions?: { readonly notes?: Notes };
}

export interface Subgraph {
  readonly name: Area;
  /** The same area on the wire: a Fastify app with POST /graphql, for a process of its own. */
  readonly app: FastifyInstance;
  /** The in-process call. */
  query(request: SubgraphRequest): Promise<SubgraphAnswer>;
  readonly consumers: readonly Consumer[];
  close(): Promise<void>;
}

export interface SubgraphOptions {
  readonly database: Database;
  readonly cursors: CursorCodec;
  /** Called after a commit that left events. */
  readonly wake: () => void;
  /** The graph as a viewer sees it, for facts of other areas. */
  readonly graphAs: (viewer: Viewer, requestId: string) => Graph;
  /** Reads the signed viewer of a call between processes; throws when it is not one of ours. */
  readonly authenticate?: (request: { headers: Record<string, unknown>; body: string }) => Viewer;
}

/** One DataLoader per batch function and request. */
function createLoad(context: () => Context): Context['load'] {
  const loaders = new Map<unknown, DataLoader<unknown, unknown>>();
  return async <Key, Row>(read: BatchRead<Key, Row>, key: Key): Promise<Row | null> => {
    let loader = loaders.get(read) as DataLoader<Key, Row | null> | undefined;
    if (!loader) {
      loader = new DataLoader<Key, Row | null, unknown>(
        async (keys) => {
          const rows = await read(keys, context());
          return [...rows];
        },
        { cacheKeyFn: (each) => (typeof each === 'string' ? each : JSON.stringify(each)) },
      ) as DataLoader<Key, Row | null>;
      loaders.set(read, loader as DataLoader<unknown, unknown>);
    }
    return loader.load(key);
  };
}

export type { GraphQLResolveInfo, parse };
