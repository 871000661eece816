/** The graph as a whole: prepares, plans and executes operations, for the doors and for the areas themselves. */
import { Kind, OperationTypeNode } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Area } from '../schema/areas.ts';
import { createGraphCaller } from '../schema/entry-point.ts';
import type { Graph } from '../schema/entry-point.ts';
import { isErrorCode, Problem } from '../schema/errors.ts';
import type { SubgraphClient } from '../schema/subgraph-client.ts';
import type { Viewer } from '../schema/viewer.ts';
import type { AccessRequirement, WriteAccess } from './admission/rejection.ts';
import { createCompiledExecutor } from './executor/compiled-executor.ts';
import type { Execution, Executor } from './executor/executor.ts';
import { unitsOf } from './operations/cost-estimate.ts';
import { cachedCharacters, limits } from './operations/limits.ts';
import { operationKey } from './operations/operation-key.ts';
import type { OperationKey, TextOperation } from './operations/operation-key.ts';
import { createPlanner, type Planner } from './planner/planner.ts';
import { createAudienceSchema, prepareOperation } from './operations/prepared-operation.ts';
import type { PreparedOperation, AudienceSchema } from './operations/prepared-operation.ts';
import { compileRootAreas } from './operations/root-areas.ts';
import type { SupergraphFiles, SchemaTexts } from './supergraph.ts';

export type Audience = keyof SchemaTexts;

/** A registered operation by its id, or a text for one audience. */
export type GraphOperation = { readonly id: string } | (TextOperation & { readonly audience: Audience });

export interface GraphRun {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly viewer: Viewer;
  /** Whether the viewer may write; ALLOWED when absent. */
  readonly writes?: WriteAccess;
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

export interface RouterGraph {
  /** Takes the texts of operations by id; each is read, prepared and planned when it is first needed, and kept for good. */
  register(documents: ReadonlyMap<string, () => string>): void;
  /** Does that for all of them, and compiles them: what a process does before it is ready. Rejects when one does not fit the public schema or has no plan. */
  planRegistered(): Promise<void>;
  /**
   * Runs an operation. Throws a Problem when nothing was run (unknown, not permitted, out of bounds, too complex); a fault of
   * an area is in `errors`. Variables of registered operations are taken as checked.
   */
  execute(operation: GraphOperation, run: GraphRun): Promise<Execution>;
  /** What a registered operation's roots need. Throws operation_unknown. */
  requirement(id: string): AccessRequirement;
  /** The root field of a registered operation. Throws operation_unknown. */
  rootField(id: string): string;
  /** The area of the operation's root fields; null when they are of several, or of none. Throws operation_unknown. */
  area(operation: GraphOperation): Area | null;
  /** Throws what refuses the operation to this viewer: api_key_missing, write_not_in_plan, insufficient_scope or upstream_unavailable. */
  permit(operation: GraphOperation, viewer: Viewer, writes: WriteAccess): void;
  /** Whether this process has prepared the operation already. */
  isPrepared(key: OperationKey): boolean;
  /** Units that the operation counts for (estimate.ts), at least 1. Throws a Problem when it cannot be run. */
  cost(operation: GraphOperation, variables: Readonly<Record<string, unknown>>): number;
  /** The graph for an area that acts for this viewer: queries only, uncharged, with everything in reach. */
  internal(viewer: Viewer, requestId: string): Graph;
  schema(audience: Audience): GraphQLSchema;
  close(): Promise<void>;
}

export interface GraphOptions extends SupergraphFiles {
  readonly subgraphs: Readonly<Partial<Record<Area, SubgraphClient>>>;
  readonly log: Logger;
  /** The compiled one when absent. */
  readonly executor?: Executor;
  /** One of this supergraph that outlives the graph; the graph opens and closes its own when absent. */
  readonly planner?: Planner | undefined;
  /** Prepared texts kept at most; default 2,000. */
  readonly maxOperations?: number;
  readonly planBudgetMs?: number;
  /** Folder in which plans of registered operations are kept from one start to the next. */
  readonly planCacheFolder?: string;
}

/** Builds the graph over its areas; closing it leaves the areas open. */
export function createGraph(options: GraphOptions): RouterGraph {
  const { supergraphSdl, subgraphs, log } = options;
  const own = (): Planner =>
    createPlanner({
      supergraphSdl,
      ...(options.planBudgetMs === undefined ? {} : { budgetMs: options.planBudgetMs }),
      cacheFolder: options.planCacheFolder,
    });
  const planner = options.planner ?? own();
  const executor = options.executor ?? createCompiledExecutor({ supergraphSdl, subgraphs, log });
  const readers: Record<Audience, AudienceSchema> = {
    public: createAudienceSchema(options.schemas.public, supergraphSdl),
    admin: createAudienceSchema(options.schemas.admin, supergraphSdl),
    internal: createAudienceSchema(options.schemas.internal, supergraphSdl),
  };
  const areaOf = compileRootAreas(supergraphSdl);
  const registered = new Map<string, () => PreparedOperation>();
  const prepared = new LRUCache<string, PreparedOperation>({
    max: options.maxOperations ?? 2_000,
    maxSize: cachedCharacters,
  });

  function preparedOf(operation: GraphOperation): PreparedOperation {
    if ('id' in operation) {
      const known = registered.get(operation.id);
      if (known === undefined) throw new Problem('operation_unknown', `There is no operation "${operation.id}".`);
      return known();
    }
    const { text, operationName, audience, document } = operation;
    const { hash, size } = operationKey(operation);
    const known = prepared.get(hash);
    if (known !== undefined) return known;
    const made = prepareOperation(readers[audience], document ?? text, operationName, { validated: document !== undefined });
    prepared.set(hash, made, { size: size + 1 });
    return made;
  }

  /** Coerced and checked values; the bridge has already done both for a registered operation. */
  function valuesOf(
    operation: GraphOperation,
    ready: PreparedOperation,
    variables: GraphRun['variables'],
  ): GraphRun['variables'] {
    if ('id' in operation) return variables;
    const values = ready.coerce(variables);
    if (operation.audience !== 'internal') ready.check(values);
    pointsOf(ready, values);
    return values;
  }

  /** Throws query_too_complex above the limit: also before the cost is charged, for what is refused anyway. */
  function pointsOf(ready: PreparedOperation, values: GraphRun['variables']): number {
    const points = ready.estimate(values);
    if (points <= limits.points) return points;
    throw new Problem(
      'query_too_complex',
      `The operation may cost ${points} points and ${limits.points} are possible: an entity it may return is one, an item of a batch ten. Ask for smaller pages.`,
    );
  }

  async function execute(operation: GraphOperation, run: GraphRun): Promise<Execution> {
    const ready = preparedOf(operation);
    const permitted = ready.authorization.permit(run.viewer, run.writes ?? 'ALLOWED');
    const variables = valuesOf(operation, ready, run.variables);
    // a registered operation without what the viewer may not see is one of many, and kept like any text
    const kept = 'id' in operation && permitted.document === ready.authorization.text;
    const plan = await planner[kept ? 'pin' : 'plan'](permitted.document, ready.operationName);
    const execution = await executor.execute({
      plan,
      document: ready.document,
      operation: ready.operation,
      schema: ready.schema,
      variables: ready.renamed?.values(variables) ?? variables,
      viewer: run.viewer,
      requestId: run.requestId,
      signal: run.signal,
    });
    const { denied } = permitted;
    const told = denied.length === 0 ? execution : { ...execution, errors: [...execution.errors, ...denied] };
    return ready.renamed?.answer(told) ?? told;
  }

  return {
    execute,
    register(documents) {
      for (const [id, text] of documents) {
        let ready: PreparedOperation | undefined;
        registered.set(id, () => (ready ??= prepareOperation(readers.public, text(), null, { validated: true })));
      }
    },
    async planRegistered() {
      for (const prepared of registered.values()) {
        const { authorization, document, operation, schema } = prepared();
        executor.compile({ plan: await planner.pin(authorization.text, null), document, operation, schema });
      }
      await planner.warm();
    },
    requirement: (id) => preparedOf({ id }).authorization.requirement,
    rootField(id) {
      const [root] = preparedOf({ id }).operation.selectionSet.selections;
      return root?.kind === Kind.FIELD ? root.name.value : '';
    },
    area: (operation) => areaOf(preparedOf(operation)),
    permit: (operation, viewer, writes) => void preparedOf(operation).authorization.permit(viewer, writes),
    isPrepared: ({ hash }) => prepared.has(hash),
    cost(operation, variables) {
      const ready = preparedOf(operation);
      return unitsOf('id' in operation ? ready.estimate(variables) : pointsOf(ready, ready.coerce(variables)));
    },
    internal: (viewer, requestId) =>
      createGraphCaller(async (text, variables) => {
        const operation = { text, operationName: null, audience: 'internal' } as const;
        // an area writes its own rows and nobody else's
        if (preparedOf(operation).operation.operation !== OperationTypeNode.QUERY)
          throw new Problem('operation_unknown', 'Areas ask the graph, and change nothing through it.');
        const { data, errors } = await execute(operation, { variables, viewer, requestId });
        const [fault] = errors;
        if (fault === undefined && data !== null) return data;
        const { code = 'internal', ...extensions } = fault?.extensions ?? {};
        throw new Problem(isErrorCode(code) ? code : 'internal', fault?.message ?? 'The graph gave no answer.', extensions);
      }),
    schema: (audience) => readers[audience].schema,
    close: async () => (options.planner === undefined ? planner.close() : undefined),
  };
}
