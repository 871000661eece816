/** A query plan as executable steps, with its conditions resolved: parallel parts, and requests that each serve several fetches of one area. */
import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { conditionValue, type Conditions } from './conditions.ts';
import type { Path } from './data.ts';
import { fetchesAnything } from './request-text.ts';

/** One fetch of the plan, and the path of its entities; empty for root fetches. */
export interface PlannedFetch {
  readonly fetch: FetchNode;
  readonly path: Path;
}

/** The supergraph of the plan, and the conditions of the execution. */
export interface PlanContext {
  readonly supergraph: GraphQLSchema;
  readonly conditions: Conditions;
}

/** The fetches from one area in one request. */
export interface SubgraphRequest {
  readonly area: string;
  readonly parts: readonly PlannedFetch[];
}

export type Step =
  { readonly kind: 'Sequence' | 'Parallel'; readonly steps: readonly Step[] } | ({ readonly kind: 'Request' } & SubgraphRequest);

const nothing: Step = { kind: 'Sequence', steps: [] };

function sequence(steps: readonly Step[]): Step {
  const flat = steps.flatMap((step) => (step.kind === 'Sequence' ? step.steps : [step]));
  const [only] = flat;
  return only !== undefined && flat.length === 1 ? only : { kind: 'Sequence', steps: flat };
}

/** The first step and the remaining ones. */
function split(step: Step): { readonly head: Step; readonly rest: readonly Step[] } {
  if (step.kind !== 'Sequence') return { head: step, rest: [] };
  const [head = nothing, ...rest] = step.steps;
  return { head, rest };
}

/**
 * Steps that run in parallel. Those that start with an entity fetch from the same area start with one combined request, recursively
 * for the steps after it: the stock planner sends them separately.
 */
function parallel(steps: readonly Step[]): Step {
  const flat = steps
    .flatMap((step) => (step.kind === 'Parallel' ? step.steps : [step]))
    .filter((step) => step.kind !== 'Sequence' || step.steps.length > 0);
  const byArea = new Map<string, { parts: PlannedFetch[]; after: Step[] }>();
  const separate: Step[] = [];
  for (const step of flat) {
    const { head, rest } = split(step);
    if (head.kind !== 'Request' || head.parts.some(({ fetch }) => fetch.requires === undefined)) {
      separate.push(step);
      continue;
    }
    const group = byArea.get(head.area) ?? { parts: [], after: [] };
    group.parts.push(...head.parts);
    if (rest.length > 0) group.after.push(sequence(rest));
    byArea.set(head.area, group);
  }
  const merged = [...byArea].map(([area, { parts, after }]) =>
    sequence([{ kind: 'Request', area, parts }, ...(after.length > 0 ? [parallel(after)] : [])]),
  );
  const all = [...separate, ...merged];
  if (all.length === 0) return nothing;
  const [only] = all;
  return only !== undefined && all.length === 1 ? only : { kind: 'Parallel', steps: all };
}

function stepOf(node: PlanNode | undefined, path: Path, where: PlanContext): Step {
  if (node === undefined) return nothing;
  switch (node.kind) {
    case 'Sequence':
      return sequence(node.nodes.map((each) => stepOf(each, path, where)));
    case 'Parallel':
      return parallel(node.nodes.map((each) => stepOf(each, path, where)));
    case 'Flatten':
      return stepOf(node.node, [...path, ...node.path], where);
    case 'Condition':
      return stepOf(conditionValue(node.condition, where.conditions) ? node.ifClause : node.elseClause, path, where);
    case 'Fetch':
      if (node.contextRewrites !== undefined && node.contextRewrites.length > 0)
        throw new Error(`The plan passes a context to ${node.serviceName} (@fromContext), which is not supported.`);
      return fetchesAnything(where.supergraph, { fetch: node, path }, where.conditions)
        ? { kind: 'Request', area: node.serviceName, parts: [{ fetch: node, path }] }
        : nothing;
    case 'Defer':
      throw new Error('The plan defers a part of the response (@defer), which is not supported.');
  }
}

/** A request in its wave; `isLast` when no other request depends on it. */
interface WaveEntry {
  readonly request: Extract<Step, SubgraphRequest>;
  readonly isLast: boolean;
  wave: number;
}

/** Assigns the requests of a step to waves, each of which waits for the previous ones. Returns the wave after the last. */
function assignWaves(step: Step, wave: number, isLast: boolean, into: WaveEntry[]): number {
  if (step.kind === 'Request') {
    into.push({ request: step, wave, isLast: isLast && step.parts.every(({ fetch }) => fetch.requires !== undefined) });
    return wave + 1;
  }
  if (step.kind === 'Parallel') return Math.max(wave, ...step.steps.map((each) => assignWaves(each, wave, isLast, into)));
  const end = step.steps.length - 1;
  return step.steps.reduce((at, each, index) => assignWaves(each, at, isLast && index === end, into), wave);
}

const requestsIn = (step: Step): number =>
  step.kind === 'Request' ? 1 : step.steps.reduce((sum, each) => sum + requestsIn(each), 0);

/**
 * Chains that start in different areas meet later. Where it saves requests, each wave waits for the previous one and queries an area
 * once, and requests without dependents join the last wave of their area. The longest chain does not grow (6 requests
 * instead of 16 for the query of the public benchmark).
 */
function minimizeRequests(step: Step): Step {
  const all: WaveEntry[] = [];
  const count = assignWaves(step, 0, true, all);
  for (const each of all) {
    const same = all.filter(({ request }) => request.area === each.request.area);
    if (each.isLast) each.wave = Math.max(...same.map(({ wave }) => wave));
  }
  const waves = Array.from({ length: count }, (_, wave) => all.filter((each) => each.wave === wave));
  const levelled = sequence(waves.map((wave) => parallel(wave.map(({ request }) => request))));
  return requestsIn(levelled) < requestsIn(step) ? levelled : step;
}

/** The steps of a plan under these conditions. Throws an Error for plan nodes that this executor does not support: nothing is omitted silently. */
export function stepsOf({ node }: QueryPlan, where: PlanContext): Step {
  if (node?.kind === 'Subscription') throw new Error('The plan is a subscription, which is not supported.');
  return minimizeRequests(stepOf(node, [], where));
}
