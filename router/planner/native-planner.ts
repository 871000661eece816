/** The native query planner (docs/decisions/0037). It ends the process when it panics: operations of clients are planned in a separate one. */
import type { Conditions } from '../operations/conditions.ts';
import { supergraphSchema } from '../operations/supergraph-schema.ts';
import type { Plan } from './plan.ts';
import { resolvedText } from './planner-input.ts';
import { translatePlan } from './translate-plan.ts';

/** Documents are valid, without introspection and without names reserved by the planner (router/operations/client-names.ts). */
export interface NativePlanner {
  /** Plans on the calling thread, for commands. Throws an Error when the operation cannot be planned. */
  planSync(document: string, operationName: string | null, conditions: Conditions): Plan;
  /** Plans on another thread. */
  plan(document: string, operationName: string | null, conditions: Conditions): Promise<Plan>;
}

/** Throws an Error on a platform for which the planner has no binary. */
async function loadPlanner() {
  try {
    return await import('@graphql-hive/router-query-planner');
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`;
    throw new Error(
      `The query planner has no binary for ${platform}. Run the platform on Linux with glibc or on macOS, on x64 or arm64; on Windows, use WSL or a container.`,
      { cause },
    );
  }
}

const { QueryPlanner } = await loadPlanner();

/** No labels of progressive overrides are active, and no percentage below 100 % either: composition rejects both. */
const noLabels = new Set<string>();
const noPercentage = 100;

/** Nothing is selected under the conditions. */
const empty: Plan = { node: null };

/** Reads the supergraph, which takes about 50 ms of CPU time. Throws an Error for an invalid one. */
export function createNativePlanner(supergraphSdl: string): NativePlanner {
  const planner = new QueryPlanner(supergraphSdl);
  const supergraph = supergraphSchema(supergraphSdl);
  return {
    planSync(document, operationName, conditions) {
      const text = resolvedText(supergraph, document, operationName, conditions);
      return text === null ? empty : translatePlan(planner.plan(text, null, noLabels, noPercentage), supergraph);
    },
    async plan(document, operationName, conditions) {
      const text = resolvedText(supergraph, document, operationName, conditions);
      return text === null ? empty : translatePlan(await planner.planAsync(text, null, noLabels, noPercentage), supergraph);
    },
  };
}
