/** A query plan as steps, its conditions decided: what runs at once, and requests of which each may serve several fetches of one area. */
import type { FetchNode, PlanNode, QueryPlan } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { known, type Conditions } from './conditions.ts';
import type { Path } from './data.ts';
import { fetchesAnything } from './request-text.ts';

/** One fetch of the plan, and where its entities are; an empty path for what is asked at the root. */
export interface PlannedFetch {
  readonly fetch: FetchNode;
  readonly path: Path;
}

/** Of which supergraph the plan is, and where it is run. */
export interface PlanContext {
  readonly supergraph: GraphQLSchema;
  readonly conditions: Conditions;
}

/** What one area is asked for in one request. */
export interface SubgraphRequest {
  readonly area: string;
  readonly parts: readonly PlannedFetch[];
}

export type Step =
  { readonly kind: 'Sequence' | 'Parallel'; readonly steps: readonly Step[] } | ({ readonly kind: 'Request' } & SubgraphRequest);

export const nothing: Step = { kind: 'Sequence', steps: [] };

function sequence(steps: readonly Step[]): Step {
  const flat = steps.flatMap((step) => (step.kind === 'Sequence' ? step.steps : [step]));
  const [only] = flat;
  return only !== undefined && flat.length === 1 ? only : { kind: 'Sequence', steps: flat };
}

/** The first step and those after it. */
function split(step: Step): { readonly head: Step; readonly rest: readonly Step[] } {
  if (step.kind !== 'Sequence') return { head: step, rest: [] };
  const [head = nothing, ...rest] = step.steps;
  return { head, rest };
}

/**
 * Steps that run at once. Those that begin with a fetch of entities from one area begin with one request for all of them, and so on
 * for what follows: the stock planner sends them one by one.
 */
function parallel(steps: readonly Step[]): Step {
  const flat = steps
    .flatMap((step) => (step.kind === 'Parallel' ? step.steps : [step]))
    .filter((step) => step.kind !== 'Sequence' || step.steps.length > 0);
  const byArea = new Map<string, { parts: PlannedFetch[]; after: Step[] }>();
  const others: Step[] = [];
  for (const step of flat) {
    const { head, rest } = split(step);
    if (head.kind !== 'Request' || head.parts.some(({ fetch }) => fetch.requires === undefined)) {
      others.push(step);
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
  const all = [...others, ...merged];
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
      return stepOf(known(node.condition, where.conditions) ? node.ifClause : node.elseClause, path, where);
    case 'Fetch':
      if (node.contextRewrites !== undefined && node.contextRewrites.length > 0)
        throw new Error(`The plan passes a context to ${node.serviceName} (@fromContext), which is not supported.`);
      return fetchesAnything(where.supergraph, { fetch: node, path }, where.conditions)
        ? { kind: 'Request', area: node.serviceName, parts: [{ fetch: node, path }] }
        : nothing;
    case 'Defer':
      throw new Error('The plan defers a part of the answer (@defer), which is not supported.');
  }
}

/** A request in its wave; nothing waits for one that is the last of its chain. */
interface Spread {
  readonly request: Extract<Step, SubgraphRequest>;
  readonly isLast: boolean;
  wave: number;
}

/** The requests of a step, in waves: each waits for those before it. Returns the wave after its last. */
function spread(step: Step, wave: number, isLast: boolean, into: Spread[]): number {
  if (step.kind === 'Request') {
    into.push({ request: step, wave, isLast: isLast && step.parts.every(({ fetch }) => fetch.requires !== undefined) });
    return wave + 1;
  }
  if (step.kind === 'Parallel') return Math.max(wave, ...step.steps.map((each) => spread(each, wave, isLast, into)));
  const end = step.steps.length - 1;
  return step.steps.reduce((at, each, index) => spread(each, at, isLast && index === end, into), wave);
}

const requestsIn = (step: Step): number =>
  step.kind === 'Request' ? 1 : step.steps.reduce((sum, each) => sum + requestsIn(each), 0);

/**
 * Chains that begin in different areas meet later: where it takes fewer requests, every wave waits for the one before it and asks an
 * area once, and what nothing waits for goes with the last wave that asks its area. The longest chain stays as long as it is (6 requests
 * instead of 16 for the query of the public benchmark).
 */
function fewest(step: Step): Step {
  const all: Spread[] = [];
  const count = spread(step, 0, true, all);
  for (const each of all) {
    const same = all.filter(({ request }) => request.area === each.request.area);
    if (each.isLast) each.wave = Math.max(...same.map(({ wave }) => wave));
  }
  const waves = Array.from({ length: count }, (_, wave) => all.filter((each) => each.wave === wave));
  const levelled = sequence(waves.map((wave) => parallel(wave.map(({ request }) => request))));
  return requestsIn(levelled) < requestsIn(step) ? levelled : step;
}

/** The steps of a plan where these conditions hold. Throws an Error for what a plan can say and this executor does not do: nothing is ever left out of an answer in silence. */
export function stepsOf({ node }: QueryPlan, where: PlanContext): Step {
  if (node?.kind === 'Subscription') throw new Error('The plan is a subscription, which is not supported.');
  return fewest(stepOf(node, [], where));
}
