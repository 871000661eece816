/** The graph as a whole: prepares, plans and executes operations, for the APIs and for the areas. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kind, OperationTypeNode } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Area } from '../schema/areas.ts';
import { addContentNotes, createGraphCaller } from '../schema/entry-point.ts';
import type { Graph, ResponseNotes, ResponseSources } from '../schema/entry-point.ts';
import { isErrorCode, Problem } from '../schema/errors.ts';
import { operationTimeouts, type SubgraphClient } from '../schema/subgraph-client.ts';
import type { Viewer } from '../schema/viewer.ts';
import type { RateLimit } from './admission/quota/rate-limit.ts';
import type { AccessRequirement, WriteAccess } from './admission/rejection.ts';
import type { AreaStates } from './caching/area-states.ts';
import { createSourceTracker } from './caching/response-sources.ts';
import { createCompiledExecutor } from './executor/compiled-executor.ts';
import type { Execution, Executor } from './executor/executor.ts';
import { firstPart } from './executor/first-part.ts';
import { checkDocuments } from './operations/document-check.ts';
import { createOperationCosts } from './operations/operation-costs.ts';
import { isInParts, valuesOf } from './operations/operation-values.ts';
import { limits } from './operations/limits.ts';
import type { TextOperation } from './operations/operation-key.ts';
import { createAudienceSchema } from './operations/prepared-operation.ts';
import type { PreparedOperation, AudienceSchema } from './operations/prepared-operation.ts';
import { createPreparedOperations, type OperationVariant } from './operations/prepared-operations.ts';
import { compileRootAreas } from './operations/root-areas.ts';
import { createPlanner, type Planner } from './planner/planner.ts';
import { createExpensiveOperationLimit } from './protection/expensive-operations.ts';
import { createSharedExecutions } from './protection/shared-executions.ts';
import { observeExecutions } from './observed-graph.ts';
import type { SupergraphFiles, SchemaTexts } from './supergraph.ts';

export type Audience = keyof SchemaTexts;

/** A registered operation by its id, or a text for one audience. */
export type GraphOperation = { readonly id: string } | TextGraphOperation;

export type TextGraphOperation = TextOperation & { readonly audience: Audience };

export interface GraphRun {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly viewer: Viewer;
  /** Default ALLOWED. */
  readonly writes?: WriteAccess;
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
  /** The account, or the address of an anonymous caller: few of its expensive operations run at the same time. Absent: unlimited. */
  readonly caller?: string | null | undefined;
  /** Whether an area runs the operation during another operation. */
  readonly isNested?: boolean;
  /** Whether @defer and @stream have an effect: the response has `later` if the operation contains them. Default: they have none. */
  readonly isIncremental?: boolean;
  /** The value of the root field `rateLimit` for an operation with these estimated points; absent: null. */
  readonly rateLimit?: ((points: number) => RateLimit | null) | undefined;
}

/** The cost of an executed operation, in points. */
export interface OperationCost {
  readonly estimated: number;
  readonly actual: number;
}

export interface RouterGraph {
  /** Registers the texts of operations by id; each is prepared and planned on first use and cached permanently. */
  register(documents: ReadonlyMap<string, () => string>): void;
  /** Plans and compiles all registered operations, one after the other, until the signal is aborted. Rejects when one does not fit the public schema or has no plan. */
  planRegistered(signal?: AbortSignal): Promise<void>;
  /**
   * Runs an operation. Throws a Problem when nothing was run (unknown, not permitted, too complex, overloaded); errors of areas are in
   * `errors`. Variables of registered operations must have been checked. Identical anonymous reads at the same time are executed
   * once: the caller must not modify the response.
   */
  execute(operation: GraphOperation, run: GraphRun): Promise<Execution>;
  /** Access required by the root fields of a registered operation. Throws operation_unknown. */
  requirement(id: string): AccessRequirement;
  /** The root field of a registered operation. Throws operation_unknown. */
  rootField(id: string): string;
  /** The area of the operation's root fields; null for several or none. Throws operation_unknown. */
  area(operation: GraphOperation): Area | null;
  /** Throws if the viewer may not run the operation: api_key_missing, write_not_in_plan, insufficient_scope or upstream_unavailable. */
  permit(operation: GraphOperation, viewer: Viewer, writes: WriteAccess): void;
  /** The key of an operation under the conditions of its variables, and whether it is new to this process. */
  variantOf(operation: TextGraphOperation, variables: Readonly<Record<string, unknown>>): OperationVariant;
  /** The cost in units (cost-estimate.ts), at least 1. Throws a Problem when the operation cannot be run. */
  cost(operation: GraphOperation, variables: Readonly<Record<string, unknown>>): number;
  /** The estimated points of an operation, and those of its response. */
  costOf(operation: GraphOperation, variables: Readonly<Record<string, unknown>>, data: Execution['data']): OperationCost;
  /** The cost of the response to a registered query in units, at least 1; null for a mutation, which costs its estimate. */
  responseCost(id: string, data: Execution['data']): number | null;
  /** Whether a response with these sources is current for the viewer. */
  isCurrent(sources: ResponseSources, viewer: Viewer): boolean;
  /** The graph for an area that acts for this viewer: queries only, uncharged, over the internal schema. */
  internal(viewer: Viewer, requestId: string, signal?: AbortSignal): Graph;
  schema(audience: Audience): GraphQLSchema;
  close(): Promise<void>;
}

export interface GraphOptions extends SupergraphFiles {
  readonly subgraphs: Readonly<Partial<Record<Area, SubgraphClient>>>;
  readonly log: Logger;
  /** Default: the compiled executor. */
  readonly executor?: Executor;
  /** A planner of this supergraph that outlives the graph; by default the graph creates and closes its own. */
  readonly planner?: Planner | undefined;
  /** Maximum number of prepared texts; default 2,000. */
  readonly maxOperations?: number;
  readonly planBudgetMs?: number;
  /** The changes of the areas; without them no response may be kept. */
  readonly areaStates?: AreaStates | undefined;
}

/** Builds the graph over its areas; closing it leaves the areas open. */
export function createGraph(options: GraphOptions): RouterGraph {
  const { supergraphSdl, subgraphs, log, planBudgetMs: budgetMs } = options;
  const planner = options.planner ?? createPlanner({ supergraphSdl, ...(budgetMs === undefined ? {} : { budgetMs }) });
  const executor = options.executor ?? createCompiledExecutor({ supergraphSdl, subgraphs, log });
  const audiences: Record<Audience, AudienceSchema> = {
    public: createAudienceSchema(options.schemas.public, supergraphSdl),
    admin: createAudienceSchema(options.schemas.admin, supergraphSdl),
    portal: createAudienceSchema(options.schemas.portal, supergraphSdl),
    internal: createAudienceSchema(options.schemas.internal, supergraphSdl),
  };
  const areaOf = compileRootAreas(supergraphSdl);
  const operations = createPreparedOperations(audiences, options.maxOperations);
  const share = createSharedExecutions();
  const runExpensive = createExpensiveOperationLimit();
  const { areaStates } = options;
  const tracker = areaStates && createSourceTracker(areaStates);

  async function execute(operation: GraphOperation, run: GraphRun): Promise<Execution> {
    const { caller } = run;
    const prepared = operations.get(operation);
    const permitted = prepared.authorization.permit(run.viewer, run.writes ?? 'ALLOWED');
    const variables = valuesOf(operation, prepared, run.variables);
    const isIncremental = isInParts(prepared, variables, run);
    const isRead = prepared.operation.operation === OperationTypeNode.QUERY && prepared.answerRouterFields === null;
    const start = (signal: AbortSignal | undefined) => {
      const begun = () => runPrepared(prepared, permitted, { ...run, variables, signal, isIncremental });
      return tracker !== undefined && isRead && run.isNested !== true ? tracker.track(run.viewer, begun) : begun();
    };
    // keyed viewers are never shared: their responses depend on the account
    const isShared = run.viewer.kind === 'ANONYMOUS' && isRead;
    const begin = () =>
      isShared
        ? share({
            operation: prepared,
            variables,
            state: `${areaStates?.writes() ?? 0} ${run.viewer.sport ?? ''}`,
            signal: run.signal,
            execute: start,
          })
        : start(run.signal);
    const isLimited = typeof caller === 'string' && prepared.estimate(variables) >= limits.expensivePoints;
    if (isIncremental)
      return await firstPart(
        () => start(run.signal),
        (all) => (isLimited ? runExpensive(caller, run.signal, all) : all()),
      );
    return await (isLimited ? runExpensive(caller, run.signal, begin) : begin());
  }

  async function runPrepared(
    prepared: PreparedOperation,
    permitted: ReturnType<PreparedOperation['authorization']['permit']>,
    { variables, viewer, requestId, signal, isNested, isIncremental, rateLimit }: GraphRun,
  ): Promise<Execution> {
    const isMutation = prepared.operation.operation === OperationTypeNode.MUTATION;
    const deadlineMs = performance.now() + (isMutation ? operationTimeouts.mutationMs : operationTimeouts.queryMs);
    const values = prepared.renamed?.renameVariables(variables) ?? variables;
    const conditions = prepared.conditionsOf(values);
    const plan = await planner.plan(permitted.document, prepared.operationName, conditions, deadlineMs - performance.now());
    operations.planned(prepared, conditions);
    const { denied } = permitted;
    const resolvers = {
      rateLimit: () => rateLimit?.(prepared.estimate(variables)) ?? null,
      documentChecks: ({ texts }: { readonly texts: readonly string[] }) => checkDocuments(audiences.public, planner, texts),
    };
    const execution = await executor.execute({
      plan,
      data: prepared.answerRouterFields === null ? undefined : await prepared.answerRouterFields(resolvers, values),
      document: prepared.document,
      operation: prepared.operation,
      schema: prepared.schema,
      conditions,
      variables: values,
      viewer,
      requestId,
      signal,
      deadlineMs,
      isNested,
      activeDirectives: isIncremental === true ? prepared.incremental?.activeFor(values) : undefined,
      denied,
    });
    const complete =
      denied.length === 0 || execution.later !== undefined
        ? execution
        : { ...execution, errors: [...execution.errors, ...denied] };
    return prepared.renamed?.restoreNames(complete) ?? complete;
  }

  const observed = observeExecutions(execute);

  async function queryForArea(text: string, run: GraphRun, notes: ResponseNotes | undefined): Promise<Record<string, unknown>> {
    const operation = { text, operationName: null, audience: 'internal' } as const;
    // an area writes only its own rows
    if (operations.get(operation).operation.operation !== OperationTypeNode.QUERY)
      throw new Problem('operation_unknown', 'Areas can only run queries on the graph.');
    const { data, errors, notes: ofData } = await observed(operation, run);
    addContentNotes(notes, ofData);
    const [error] = errors;
    if (error === undefined && data !== null) return data;
    const { code = 'internal', ...extensions } = error?.extensions ?? {};
    throw new Problem(isErrorCode(code) ? code : 'internal', error?.message ?? 'The graph returned no data.', extensions);
  }

  return {
    execute: observed,
    register: (documents) => operations.register(documents),
    async planRegistered(signal) {
      for (const { authorization, document, operation, schema, conditionsOf } of operations.registered()) {
        if (signal?.aborted === true) return;
        const startedMs = performance.now();
        const conditions = conditionsOf({});
        // not all at once: requests with new operations need the planner meanwhile
        const plan = await planner.pin(authorization.text, null, conditions);
        executor.compile({ plan, document, operation, schema, conditions });
        // requests need several turns of the event loop each
        await sleep(performance.now() - startedMs);
      }
    },
    requirement: (id) => operations.get({ id }).authorization.requirement,
    rootField(id) {
      const [root] = operations.get({ id }).operation.selectionSet.selections;
      return root?.kind === Kind.FIELD ? root.name.value : '';
    },
    area: (operation) => areaOf(operations.get(operation)),
    permit: (operation, viewer, writes) => void operations.get(operation).authorization.permit(viewer, writes),
    variantOf: (operation, variables) => operations.variantOf(operation, variables),
    ...createOperationCosts(operations),
    isCurrent: (sources, viewer) => tracker?.isCurrent(sources, viewer) === true,
    internal: (viewer, requestId, signal) =>
      createGraphCaller((text, variables, notes) =>
        queryForArea(text, { variables, viewer, requestId, signal, isNested: true }, notes),
      ),
    schema: (audience) => audiences[audience].schema,
    close: async () => (options.planner === undefined ? planner.close() : undefined),
  };
}
