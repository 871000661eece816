/** A graph whose supergraph can be replaced while it serves requests: the new one is planned first, then used by all later requests. */
import type { GraphQLSchema } from 'graphql';
import type { Audience, RouterGraph } from './graph.ts';
import type { SchemaTexts, SupergraphFiles } from './supergraph.ts';

/** What the GraphQL APIs need to know of reloads. */
export interface GraphVersions {
  /** The graph with this schema, against which a document was validated; the current one when it is closed. */
  graphOf(schema: GraphQLSchema): RouterGraph;
  schemas(): SchemaTexts;
  /** Called after each reload. */
  onReload(listener: () => void): void;
}

export interface ReloadableGraph {
  /** Runs every call on the current graph. */
  readonly graph: RouterGraph;
  readonly versions: GraphVersions;
  /**
   * Replaces the graph: prepares and plans the registered operations first. Reloads are made one after the other.
   * Rejects, and keeps the current graph, when the files are invalid or an operation does not fit them.
   */
  reload(files: SupergraphFiles, documents: ReadonlyMap<string, () => string>): Promise<void>;
}

/** Longer than the time limit of an operation: a replaced graph is closed when its last operation has ended. */
const closeAfterMs = 30_000;

const audiences: readonly Audience[] = ['public', 'admin', 'portal', 'internal'];

/** Opens the first graph; `open` creates one graph for given files. */
export function createReloadableGraph(files: SupergraphFiles, open: (files: SupergraphFiles) => RouterGraph): ReloadableGraph {
  let current = { graph: open(files), schemas: files.schemas };
  const replaced = new Map<RouterGraph, NodeJS.Timeout>();
  const listeners: (() => void)[] = [];
  let lastReload = Promise.resolve();

  function replaceBy(next: typeof current): void {
    const { graph } = current;
    current = next;
    const close = (): void => {
      replaced.delete(graph);
      void graph.close();
    };
    replaced.set(graph, setTimeout(close, closeAfterMs).unref());
    for (const listener of listeners) listener();
  }

  async function reload(next: SupergraphFiles, documents: ReadonlyMap<string, () => string>): Promise<void> {
    const graph = open(next);
    try {
      graph.register(documents);
      await graph.planRegistered();
    } catch (error) {
      await graph.close();
      throw error;
    }
    replaceBy({ graph, schemas: next.schemas });
  }

  const hasSchema = (schema: GraphQLSchema) => (graph: RouterGraph) =>
    audiences.some((audience) => graph.schema(audience) === schema);

  return {
    graph: {
      register: (documents) => current.graph.register(documents),
      planRegistered: (signal) => current.graph.planRegistered(signal),
      execute: (operation, run) => current.graph.execute(operation, run),
      requirement: (id) => current.graph.requirement(id),
      rootField: (id) => current.graph.rootField(id),
      area: (operation) => current.graph.area(operation),
      permit: (operation, viewer, writes) => current.graph.permit(operation, viewer, writes),
      variantOf: (operation, variables) => current.graph.variantOf(operation, variables),
      cost: (operation, variables) => current.graph.cost(operation, variables),
      costOf: (operation, variables, data) => current.graph.costOf(operation, variables, data),
      responseCost: (id, data) => current.graph.responseCost(id, data),
      isCurrent: (sources, viewer) => current.graph.isCurrent(sources, viewer),
      internal: (viewer, requestId, signal) => current.graph.internal(viewer, requestId, signal),
      schema: (audience) => current.graph.schema(audience),
      async close() {
        await lastReload;
        for (const timer of replaced.values()) clearTimeout(timer);
        await Promise.all([current.graph, ...replaced.keys()].map((graph) => graph.close()));
      },
    },
    versions: {
      graphOf: (schema) => [current.graph, ...replaced.keys()].find(hasSchema(schema)) ?? current.graph,
      schemas: () => current.schemas,
      onReload: (listener) => void listeners.push(listener),
    },
    reload(next, documents) {
      const reloading = lastReload.then(() => reload(next, documents));
      lastReload = reloading.catch(() => undefined);
      return reloading;
    },
  };
}
