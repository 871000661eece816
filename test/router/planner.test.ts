/** The planner in its worker thread. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { PlanNode } from '@apollo/query-planner';
import { createPlanner } from '../../router/planner/planner.ts';
import { loadSupergraph } from '../../router/supergraph.ts';

const { supergraphSdl } = loadSupergraph();
const planner = createPlanner({ supergraphSdl });
afterAll(() => planner.close());

/** Fetched areas, one array per sequential step. */
function steps(node: PlanNode | undefined): string[][] {
  switch (node?.kind) {
    case 'Fetch':
      return [[node.serviceName]];
    case 'Flatten':
      return steps(node.node);
    case 'Sequence':
      return node.nodes.flatMap(steps);
    case 'Parallel':
      return [node.nodes.flatMap((one) => steps(one).flat())];
    default:
      return [];
  }
}

describe('the planner over the real supergraph', () => {
  test('organization → teams → members → athletes → organization is one fetch per area and step', async () => {
    const text = `{ organizations(first: 5) { nodes { name teams { nodes { name members { nodes {
      athlete { displayName organization { name } } } } } } } } }`;
    const { node } = await planner.plan(text, null);
    if (node === undefined || node.kind === 'Subscription') throw new Error('no plan');
    expect(steps(node)).toEqual([['organizations'], ['athletes'], ['organizations']]);
  });

  test('an athlete referenced by another area is always resolved in the athletes area', async () => {
    const { node } = await planner.plan('{ memberships { nodes { athlete { id } } } }', null);
    if (node === undefined || node.kind === 'Subscription') throw new Error('no plan');
    expect(steps(node)).toEqual([['organizations'], ['athletes']]);
  });

  test('concurrent requests for one operation plan it once', async () => {
    const text = '{ organizations { nodes { id name } } }';
    const plans = await Promise.all(Array.from({ length: 20 }, () => planner.plan(text, null)));
    expect(new Set(plans).size).toBe(1);
    expect(await planner.plan(text, null)).toBe(plans[0]);
  });

  test('a pinned plan outlives the cache', async () => {
    const small = createPlanner({ supergraphSdl, maxPlans: 1 });
    const pinned = await small.pin('{ organizations { nodes { id } } }', null);
    const first = await small.plan('{ teams { nodes { id } } }', null);
    await small.plan('{ memberships { nodes { id } } }', null);
    expect(await small.plan('{ organizations { nodes { id } } }', null)).toBe(pinned);
    expect(await small.plan('{ teams { nodes { id } } }', null)).not.toBe(first);
    await small.close();
  });

  test('pinned plans are available after a restart, for the same supergraph only', async () => {
    const cacheFolder = await mkdtemp(join(tmpdir(), 'plans-'));
    const text = '{ organizations { nodes { id } } }';
    const first = createPlanner({ supergraphSdl, cacheFolder });
    const plan = await first.pin(text, null);
    await first.warm();
    await first.close();
    // with no time to plan, the plan must come from the cache
    const second = createPlanner({ supergraphSdl, cacheFolder, budgetMs: 0 });
    expect(JSON.stringify(await second.pin(text, null))).toBe(JSON.stringify(plan));
    await second.close();
    const other = createPlanner({ supergraphSdl: `${supergraphSdl}\n# changed`, cacheFolder });
    await other.pin(text, null);
    await other.warm();
    expect(await readdir(cacheFolder)).toHaveLength(1);
    await other.close();
    const [file = ''] = await readdir(cacheFolder);
    await writeFile(join(cacheFolder, file), '{"half');
    const damaged = createPlanner({ supergraphSdl: `${supergraphSdl}\n# changed`, cacheFolder });
    expect((await damaged.pin(text, null)).kind).toBe('QueryPlan');
    await damaged.close();
    await rm(cacheFolder, { recursive: true });
  });

  test('an operation above the time limit is rejected, and the rejection is cached', async () => {
    const withoutBudget = createPlanner({ supergraphSdl, budgetMs: 0 });
    const text = `{ ${Array.from({ length: 400 }, (_, index) => `a${index}: organizations { nodes { teams { nodes { members { nodes { athlete { displayName organization { name } } } } } } } }`).join(' ')} }`;
    await expect(withoutBudget.plan(text, null)).rejects.toMatchObject({ code: 'query_too_complex' });
    const started = performance.now();
    await expect(withoutBudget.plan(text, null)).rejects.toMatchObject({ code: 'query_too_complex' });
    expect(performance.now() - started).toBeLessThan(20);
    await withoutBudget.close();
  });

  test('an operation queued behind a rejected one is still planned', async () => {
    const withBudget = createPlanner({ supergraphSdl, budgetMs: 1_000 });
    const slow = withBudget.plan(
      `{ ${Array.from({ length: 4_000 }, (_, index) => `a${index}: organizations { nodes { teams { nodes { members { nodes { athlete { displayName } } } } } } }`).join(' ')} }`,
      null,
    );
    const next = withBudget.pin('{ teams { nodes { id } } }', null);
    await expect(slow).rejects.toMatchObject({ code: 'query_too_complex' });
    expect((await next).kind).toBe('QueryPlan');
    await withBudget.close();
  });

  test('an invalid supergraph fails its operations, not the process', async () => {
    const broken = createPlanner({ supergraphSdl: 'type Query { a: Int }' });
    await expect(broken.plan('{ a }', null)).rejects.toThrow();
    await expect(broken.plan('{ a }', null)).rejects.toThrow();
    await broken.close();
  });
});
