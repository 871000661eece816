/** The compiled executor over areas with scripted responses. */
import { getOperationAST, parse } from 'graphql';
import { pino } from 'pino';
import { createCompiledExecutor } from '../../router/executor/compiled-executor.ts';
import type { Execution } from '../../router/executor/executor.ts';
import { compileConditions } from '../../router/operations/conditions.ts';
import { createNativePlanner } from '../../router/planner/native-planner.ts';
import { executableSchema } from '../../schema/executable.ts';
import { printForAudience } from '../../schema/build/print.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphClient, SubgraphResponse, SubgraphRequest } from '../../schema/subgraph-client.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { composed } from '../differential/supergraphs/all.ts';
import { federation } from '../differential/supergraphs/federation.ts';

type ApiResponse = SubgraphResponse | ((request: SubgraphRequest) => SubgraphResponse | Promise<SubgraphResponse>);

export interface Case {
  /** SDL by area. */
  readonly areas: Readonly<Record<string, string>>;
  /** The responses of each area, in order. */
  readonly responses: Readonly<Record<string, readonly ApiResponse[]>>;
  readonly operation: string;
  /** The planned text when fields were removed for the viewer. */
  readonly planned?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Time limit of all fetches together; default: none. */
  readonly operationTimeoutMs?: number;
  /** How the executor reaches an area; default: directly. */
  readonly through?: (area: string, client: SubgraphClient) => SubgraphClient;
}

/** Composes and plans, and executes with the compiled executor. */
export async function execute(given: Case): Promise<Execution & { readonly requested: readonly SubgraphRequest[] }> {
  const texts = Object.fromEntries(Object.entries(given.areas).map(([area, sdl]) => [area, `${federation}${sdl}`]));
  const supergraphSdl = composed(texts);
  const requested: SubgraphRequest[] = [];
  const client = (area: string) => {
    const left = [...(given.responses[area] ?? [])];
    const direct: SubgraphClient = {
      async query(request) {
        requested.push(request);
        const response = left.shift();
        if (response === undefined) throw new Problem('upstream_unavailable', `${area} is unavailable.`);
        return await (typeof response === 'function' ? response(request) : response);
      },
    };
    return given.through?.(area, direct) ?? direct;
  };
  const subgraphs = Object.fromEntries(Object.keys(texts).map((area) => [area, client(area)]));
  const executor = createCompiledExecutor({ supergraphSdl, subgraphs, log: pino({ enabled: false }) });
  const document = parse(given.operation);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  const conditions = compileConditions(document, operation)(given.variables ?? {});
  const execution = await executor.execute({
    plan: createNativePlanner(supergraphSdl).planSync(given.planned ?? given.operation, null, conditions),
    conditions,
    document,
    operation,
    schema: executableSchema(printForAudience(supergraphSdl, 'internal')),
    variables: given.variables ?? {},
    viewer: ANONYMOUS,
    requestId: 'r',
    signal: undefined,
    deadlineMs: performance.now() + (given.operationTimeoutMs ?? Infinity),
  });
  return { ...execution, requested };
}
