/** Builds a subgraph from an area: its federated schema, the context of its resolvers, and the function that executes its operations. */
import { randomUUID } from 'node:crypto';
import DataLoader from 'dataloader';
import Fastify, { type FastifyInstance } from 'fastify';
import { GraphQLError } from 'graphql';
import mercurius from 'mercurius';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import type { BillingSettings, StripeSettings } from '../../schema/billing.ts';
import type { Graph, ResponseNotes } from '../../schema/entry-point.ts';
import type { SubgraphResponse, SubgraphClient, Ticket } from '../../schema/subgraph-client.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Constraints } from '../../platform/database/constraint.ts';
import type { CursorCodec } from '../../platform/lists/cursor.ts';
import type { Database } from '../../platform/database/database.ts';
import { bindStatements } from '../../platform/database/statement-scope.ts';
import type { Consumer } from '../../platform/events/consumer.ts';
import type { OpenWorker } from '../../platform/events/worker.ts';
import { noImages, type Images } from '../../platform/images/images.ts';
import type { DataMode } from '../../platform/security/api-key.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import { createWriter, type Replayable, type Writer } from '../../platform/writes/write.ts';
import { errorOf } from './resolver-error.ts';
import { buildAreaSchema } from './area-schema.ts';
import { createCompiledQueries } from './compiled-queries.ts';

/** The context of resolvers. */
export interface Context {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** Notes for the API that serves the response. */
  readonly notes: ResponseNotes;
  /** Queries other areas through the router with the same viewer, uncharged. */
  readonly graph: Graph;
  /** Batches and deduplicates the reads of one request: one DataLoader per batch function. */
  readonly load: <Key, Value>(read: BatchRead<Key, Value>, key: Key) => Promise<Value>;
}

/** Reads many keys in one statement; the result has a value for each key, in their order. */
export type BatchRead<Key, Value> = (keys: readonly Key[], context: Context) => Promise<readonly Value[]>;

/** How writes of a resource are replayed: the resource is read again as the viewer, which authorizes the viewer again. */
export function replaysOf<Row>(byId: BatchRead<string, Row | null>) {
  return (context: Context, operation: string, key: string | null | undefined, input: unknown): Replayable<Row> => ({
    operation,
    key,
    input,
    reload: (id) => context.load(byId, id),
  });
}

/** The services from which an area builds its reads and writes. */
export interface AreaServices {
  readonly database: Database;
  /** The same database over a separate pool, for long reads: they never use the connections of other reads. */
  readonly expensiveDatabase: Database;
  readonly cursors: CursorCodec;
  readonly writer: Writer;
  readonly images: Images;
  /** Development: users can set URLs of this machine and of private networks, such as those of webhooks. */
  readonly allowLocalUrls: boolean;
  /** The operator on invoices; null: statements have no invoices. */
  readonly billing: BillingSettings | null;
  /** The Stripe account that receives usage; null: none is sent. */
  readonly stripe: StripeSettings | null;
  /** The data of the area: that of the platform, or the test data of one account. */
  readonly mode: DataMode;
  /** Deletes the test data of an account; absent where there is no test mode. */
  readonly resetTestData?: ((accountId: string) => Promise<void>) | undefined;
  /** The graph for consumers, as a viewer: an account reads what it may read now. It does not work in the resolvers of a separate process. */
  readonly graphFor: (viewer: Viewer) => Graph;
  /** Only for areas that derive secrets: accounts derives the pepper of API keys. */
  readonly secrets?: Secrets | undefined;
  /** Notifies the routers of a key change after the commit: the public id of the key, or `*`. Never throws: PostgreSQL notifies as well. */
  readonly announce?: ((payload: string) => Promise<void>) | undefined;
  /**
   * Reads the counter of a subject (lower-case hex) when counters are not in the database; null for an unknown subject.
   * Throws Problem upstream_unavailable.
   */
  readonly counters?: ((subject: string) => Promise<CountedUse | null>) | undefined;
}

/** The use of a subject in its current day and month; `day` and `month` are their first days, YYYY-MM-DD (UTC). */
export interface CountedUse {
  readonly day: string;
  readonly dayUsed: number;
  readonly month: string;
  readonly monthUsed: number;
}

/** The definition of an area. */
export interface AreaDefinition {
  readonly name: Area;
  /** The resolvers of its schema. */
  readonly resolvers: (services: AreaServices) => object;
  /** Database constraints whose violation is an error of the caller. */
  readonly constraints: Constraints;
  /** Consumers that project events of other areas. */
  readonly consumers?: (services: AreaServices) => readonly Consumer[];
  /** The workers of the area, which run next to the relay. */
  readonly workers?: (services: AreaServices) => readonly OpenWorker[];
}

export interface SubgraphOptions extends Pick<
  AreaServices,
  'announce' | 'counters' | 'cursors' | 'database' | 'resetTestData' | 'secrets'
> {
  readonly log: Logger;
  /** A separate pool for expensive reads; default: `database`. */
  readonly expensiveDatabase?: Database | undefined;
  readonly wake: () => void;
  /** The images of resources; default: none can be uploaded. */
  readonly images?: Images | undefined;
  readonly allowLocalUrls?: boolean | undefined;
  readonly billing?: BillingSettings | null | undefined;
  readonly stripe?: StripeSettings | null | undefined;
  /** Default: LIVE. */
  readonly mode?: DataMode | undefined;
  /**
   * The graph for a viewer, to query other areas; `ticket` proves the viewer when the graph runs in another process. Once the signal is
   * aborted, its queries end.
   */
  readonly graphAs: (viewer: Viewer, requestId: string, ticket: Ticket | null, signal: AbortSignal | undefined) => Graph;
}

export interface Subgraph extends SubgraphClient {
  readonly name: Area;
  readonly consumers: readonly Consumer[];
  readonly workers: readonly OpenWorker[];
  /** Throws while the area's database is unavailable. */
  readonly ready: () => Promise<void>;
  close(): Promise<void>;
}

/** One DataLoader per batch function and request. */
function createLoad(context: () => Context): Context['load'] {
  const loaders = new Map<unknown, unknown>();
  return <Key, Value>(read: BatchRead<Key, Value>, key: Key): Promise<Value> => {
    // Cast: the value type follows from the key, which TypeScript cannot express.
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

/** Builds a subgraph: `query` executes operations in process; createAreaServer serves the same function over HTTP. */
export async function buildSubgraph(area: AreaDefinition, options: SubgraphOptions): Promise<Subgraph> {
  const { database, expensiveDatabase = database, images = noImages, cursors, secrets, announce, counters, log } = options;
  const writer = createWriter(database, area.constraints, options.wake);
  const graphFor = (viewer: Viewer): Graph => options.graphAs(viewer, `worker-${randomUUID()}`, null, undefined);
  const services: AreaServices = {
    database,
    expensiveDatabase,
    images,
    allowLocalUrls: options.allowLocalUrls ?? false,
    billing: options.billing ?? null,
    stripe: options.stripe ?? null,
    mode: options.mode ?? 'LIVE',
    resetTestData: options.resetTestData,
    graphFor,
    cursors,
    secrets,
    announce,
    counters,
    writer,
  };
  const consumers = (area.consumers?.(services) ?? []).map((consumer) => ({ ...consumer, area: area.name }));
  const schema = await buildAreaSchema(area, services, consumers);
  const queries = createCompiledQueries(schema);
  const app: FastifyInstance = Fastify();
  await app.register(mercurius, {
    schema,
    routes: false,
    graphiql: false,
    // Unserialized errors: serialized ones lose their cause.
    errorFormatter: ({ data, errors }) => ({ statusCode: 200, response: { data: data ?? null, errors } }),
  });
  await app.ready();

  return {
    name: area.name,
    consumers,
    workers: area.workers?.(services) ?? [],
    ready: () => database.ping(),
    async query({ query, variables, operationName, viewer, requestId, signal, ticket = null }): Promise<SubgraphResponse> {
      const notes: ResponseNotes = {};
      const context: Context = {
        viewer,
        requestId,
        notes,
        graph: (operation, values, ofResponse) => {
          notes.queriesGraph = true;
          return options.graphAs(viewer, requestId, ticket, signal)(operation, values, ofResponse);
        },
        load: createLoad(() => context),
      };
      try {
        const { data, errors } = await bindStatements(
          signal,
          async () =>
            (await queries.run({ query, variables, operationName }, context)) ??
            (await app.graphql(query, { ...context }, { ...variables }, operationName ?? undefined)),
        );
        return {
          data,
          ...(errors ? { errors: errors.map((error) => errorOf(error, log, requestId)) } : {}),
          extensions: { notes },
        };
      } catch (error) {
        // Mercurius throws for documents that do not match the schema: the router and the area have different versions.
        const errors = error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
        return {
          data: null,
          errors: errors.map((each) =>
            errorOf(each instanceof GraphQLError ? each : new GraphQLError(String(each)), log, requestId),
          ),
        };
      }
    },
    async close() {
      await app.close();
      await database.close();
      if (expensiveDatabase !== database) await expensiveDatabase.close();
    },
  };
}
