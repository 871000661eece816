/** All the boilerplate of an area, once: a schema of the federation, its context, and the two ways to call it. */
import { buildSubgraphSchema } from '@apollo/subgraph';
import DataLoader from 'dataloader';
import Fastify, { type FastifyInstance } from 'fastify';
import { defaultFieldResolver, GraphQLError, isObjectType, parse } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import mercurius from 'mercurius';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import { historyField } from '../../schema/history-types.ts';
import type { Graph, ResponseNotes } from '../../schema/entry-point.ts';
import type { SubgraphResponse, SubgraphClient, SubgraphError } from '../../schema/subgraph-client.ts';
import { areaTypeDefs } from '../../schema/type-defs.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Constraints } from '../../platform/database/constraint.ts';
import type { CursorCodec } from '../../platform/lists/cursor.ts';
import type { Database } from '../../platform/database/database.ts';
import { readHistory, type HistoryArguments } from '../../platform/writes/history.ts';
import { lazyMembers } from '../../platform/lists/page.ts';
import type { Consumer } from '../../platform/events/relay.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import { createWriter, type Replayable, type Writer } from '../../platform/writes/write.ts';
import { createCompiledQueries } from './compiled-queries.ts';
import { scalarTypes } from './scalar-types.ts';

/** What every resolver is given: who asks, and how to read in batches. */
export interface Context {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** Told to the door with the answer. */
  readonly notes: ResponseNotes;
  /** A call back through the router with the same viewer, uncharged. */
  readonly graph: Graph;
  /** Batches and deduplicates the reads of one request: one DataLoader per batch function. */
  readonly load: <Key, Value>(read: BatchRead<Key, Value>, key: Key) => Promise<Value>;
}

/** Reads many keys in one statement; the result has a value for each key, in their order. */
export type BatchRead<Key, Value> = (keys: readonly Key[], context: Context) => Promise<readonly Value[]>;

/** How writes of a resource are replayed: the resource is read again as the viewer, who is so authorized again. */
export function replaysOf<Row>(byId: BatchRead<string, Row | null>) {
  return (context: Context, operation: string, key: string | null | undefined, input: unknown): Replayable<Row> => ({
    operation,
    key,
    input,
    reload: (id) => context.load(byId, id),
  });
}

/** What an area builds its store from. */
export interface AreaServices {
  readonly database: Database;
  readonly cursors: CursorCodec;
  readonly writer: Writer;
  /** Only for areas that derive keys of their own: accounts, for the pepper of API keys. */
  readonly secrets?: Secrets | undefined;
  /** Tells the routers what they know no longer, after the commit: the public id of a key, or `*`. Never throws: word comes by PostgreSQL as well. */
  readonly announce?: ((payload: string) => Promise<void>) | undefined;
  /**
   * Reads the counter of a subject (lower-case hex) where it is not in the database; null: nothing is known of it there.
   * Throws Problem upstream_unavailable.
   */
  readonly counters?: ((subject: string) => Promise<CountedUse | null>) | undefined;
}

/** What a subject has used of its open day and month: both are the first day of theirs, YYYY-MM-DD (UTC). */
export interface CountedUse {
  readonly day: string;
  readonly dayUsed: number;
  readonly month: string;
  readonly monthUsed: number;
}

/** An area: its name and its parts. */
export interface AreaDefinition {
  readonly name: Area;
  /** Resolvers of its schema.graphql, over its own store. */
  readonly resolvers: (services: AreaServices) => object;
  /** Violated constraints that are the caller's to mend. */
  readonly constraints: Constraints;
  /** Its projections of other areas' events. */
  readonly consumers?: (services: AreaServices) => readonly Consumer[];
}

export interface SubgraphOptions {
  readonly log: Logger;
  readonly database: Database;
  readonly cursors: CursorCodec;
  readonly secrets?: Secrets | undefined;
  /** Called after a commit that left events. */
  readonly wake: () => void;
  readonly announce?: AreaServices['announce'];
  readonly counters?: AreaServices['counters'];
  /** The graph as a viewer sees it, for facts of other areas; `ticket` proves the viewer where the graph is in another process. */
  readonly graphAs: (viewer: Viewer, requestId: string, ticket: string | null) => Graph;
}

export interface Subgraph extends SubgraphClient {
  readonly name: Area;
  readonly consumers: readonly Consumer[];
  /** Throws while the area's database is away. */
  readonly ready: () => Promise<void>;
  close(): Promise<void>;
}

/** One DataLoader per batch function and request. */
function createLoad(context: () => Context): Context['load'] {
  const loaders = new Map<unknown, unknown>();
  return <Key, Value>(read: BatchRead<Key, Value>, key: Key): Promise<Value> => {
    // The map's value type follows from its key, which TypeScript cannot say.
    let loader = loaders.get(read) as DataLoader<Key, Value, unknown> | undefined;
    if (!loader) {
      loader = new DataLoader<Key, Value, unknown>((keys) => read(keys, context()), {
        cacheKeyFn: (each) => (typeof each === 'string' ? each : JSON.stringify(each)),
      });
      loaders.set(read, loader);
    }
    return loader.load(key);
  };
}

/** An error of graphql-js, or of graphql-jit, which makes no extensions where there are none. */
type ResolverError = Pick<GraphQLError, 'message' | 'path' | 'originalError'> & {
  readonly extensions?: GraphQLError['extensions'] | undefined;
};

/** A fault as the router is told it: ours as they are, anything else as `internal` without a word of it, logged here. */
function faultOf(error: ResolverError, log: Logger, requestId: string): SubgraphError {
  const { message, path, extensions } = error;
  if (typeof extensions?.['code'] === 'string') return { message, path, extensions };
  log.error({ err: error.originalError ?? error, path: error.path, requestId }, 'a resolver failed');
  return { message: 'Something went wrong on our side.', path: error.path, extensions: { code: 'internal' } };
}

/** What graphql-jit does otherwise than graphql-js, done so that both do the same. */
function suitBoth(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    // it calls no function that it finds in a member
    for (const field of Object.values(type.getFields())) if (lazyMembers.has(field.name)) field.resolve ??= defaultFieldResolver;
  }
  const entities = schema.getQueryType()?.getFields()['_entities'];
  if (entities?.resolve === undefined) return schema;
  const { resolve } = entities;
  // it puts the null of an item that rejects at the end of the list: items that are errors have their place
  entities.resolve = async (...call) => {
    const items = await Promise.allSettled((await resolve(...call)) as readonly unknown[]);
    return items.map((item) => (item.status === 'fulfilled' ? item.value : asError(item.reason)));
  };
  return schema;
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/** The resolvers of an area with that of its history, which is the same in all areas. */
function withHistory(area: Area, database: Database, resolvers: { readonly Query?: object }): object {
  const history = (_: unknown, args: HistoryArguments, { viewer }: Context) => readHistory(database, viewer, args);
  return { ...resolvers, Query: { ...resolvers.Query, [historyField(area)]: history } };
}

/** Builds an area: `query` serves it in process; createAreaServer puts the same function on the wire. */
export async function buildSubgraph(area: AreaDefinition, options: SubgraphOptions): Promise<Subgraph> {
  const { database, cursors, secrets, announce, counters, log } = options;
  const writer = createWriter(database, area.constraints, options.wake);
  const services: AreaServices = { database, cursors, secrets, announce, counters, writer };
  const schema = suitBoth(
    buildSubgraphSchema({
      typeDefs: parse(areaTypeDefs(area.name)),
      // @apollo/subgraph types resolvers more narrowly than graphql-js; ours are checked against the generated types.
      resolvers: { ...scalarTypes, ...withHistory(area.name, database, area.resolvers(services)) },
    }),
  );
  const queries = createCompiledQueries(schema);
  const app: FastifyInstance = Fastify();
  await app.register(mercurius, {
    schema,
    routes: false,
    graphiql: false,
    // Errors as they are: serialized ones have lost what caused them.
    errorFormatter: ({ data, errors }) => ({ statusCode: 200, response: { data: data ?? null, errors } }),
  });
  await app.ready();

  return {
    name: area.name,
    consumers: area.consumers?.(services) ?? [],
    ready: () => database.ping(),
    async query({ query, variables, operationName, viewer, requestId, ticket = null }): Promise<SubgraphResponse> {
      const notes: ResponseNotes = {};
      const context: Context = {
        viewer,
        requestId,
        notes,
        graph: options.graphAs(viewer, requestId, ticket),
        load: createLoad(() => context),
      };
      try {
        const { data, errors } =
          (await queries.run({ query, variables, operationName }, context)) ??
          (await app.graphql(query, { ...context }, { ...variables }, operationName ?? undefined));
        return {
          data,
          ...(errors ? { errors: errors.map((error) => faultOf(error, log, requestId)) } : {}),
          extensions: { notes },
        };
      } catch (error) {
        // Mercurius throws for documents that do not fit the schema: the router and the area disagree.
        const errors = error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
        return {
          data: null,
          errors: errors.map((each) =>
            faultOf(each instanceof GraphQLError ? each : new GraphQLError(String(each)), log, requestId),
          ),
        };
      }
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}
