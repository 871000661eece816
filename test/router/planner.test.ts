/** The planner: plans, its caches, its budget of CPU time, and its process. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { PlanNode } from '../../router/planner/plan.ts';
import { createPlanner } from '../../router/planner/planner.ts';
import { loadSupergraph } from '../../router/supergraph.ts';
import { interfaceObjects, interfaces } from '../differential/supergraphs/abstract.ts';
import { composed } from '../differential/supergraphs/all.ts';

const { supergraphSdl } = loadSupergraph();
const planner = createPlanner({ supergraphSdl });
afterAll(() => planner.close());

/** Fetched areas, one array per sequential step. */
function steps(node: PlanNode | null): string[][] {
  switch (node?.kind) {
    case 'Fetch':
      return [[node.area]];
    case 'Sequence':
      return node.nodes.flatMap(steps);
    case 'Parallel':
      return [node.nodes.flatMap((one) => steps(one).flat())];
    default:
      return [];
  }
}

/** An operation of this many root fields that three areas respond to. */
const large = (roots: number): string =>
  `{ ${Array.from({ length: roots }, (_, index) => `a${index}: organizations { nodes { teams { nodes { members { nodes { athlete { displayName organization { name } } } } } } } }`).join(' ')} }`;

describe('plans over the real supergraph', () => {
  test('organization → teams → members → athletes → organization is one fetch per area and step', async () => {
    const text = `{ organizations(first: 5) { nodes { name teams { nodes { name members { nodes {
      athlete { displayName organization { name } } } } } } } } }`;
    expect(steps((await planner.plan(text, null)).node)).toEqual([['organizations'], ['athletes'], ['organizations']]);
  });

  test('an athlete referenced by another area is always resolved in the athletes area', async () => {
    const { node } = await planner.plan('{ memberships { nodes { athlete { id } } } }', null);
    expect(steps(node)).toEqual([['organizations'], ['athletes']]);
  });

  test('an operation is chosen by its name', async () => {
    const text = 'query One { organizations { nodes { id } } } query Other { athletes { nodes { id } } }';
    expect(steps((await planner.plan(text, 'One')).node)).toEqual([['organizations']]);
    expect(steps((await planner.plan(text, 'Other')).node)).toEqual([['athletes']]);
  });
});

describe('caches', () => {
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
});

describe('the budget', () => {
  test('an operation above it is rejected, and planned again by the next request', async () => {
    const limited = createPlanner({ supergraphSdl, budgetMs: 50 });
    await expect(limited.plan(large(2_000), null)).rejects.toMatchObject({ code: 'query_too_complex' });
    // a cached rejection would not wait for the planner
    const order: string[] = [];
    await Promise.all([
      limited.plan('{ teams { nodes { id } } }', null).then(() => order.push('planned')),
      limited.plan(large(2_000), null).catch(() => order.push('rejected')),
    ]);
    expect(order).toEqual(['planned', 'rejected']);
    await limited.close();
  });

  test('an operation queued behind a rejected one is still planned', async () => {
    const limited = createPlanner({ supergraphSdl, budgetMs: 100 });
    const slow = limited.plan(large(2_000), null);
    const next = limited.pin('{ teams { nodes { id } } }', null);
    await expect(slow).rejects.toMatchObject({ code: 'query_too_complex' });
    expect(steps((await next).node)).toEqual([['organizations']]);
    await limited.close();
  });

  test('an operation above the maximum number of waiting ones is rejected; a registered operation is planned', async () => {
    const limited = createPlanner({ supergraphSdl, maxWaiting: 2 });
    const [first, second, third, sameAsFirst, registered] = await Promise.allSettled([
      limited.plan('{ teams { nodes { id } } }', null),
      limited.plan('{ athletes { nodes { id } } }', null),
      limited.plan('{ organizations { nodes { id } } }', null),
      limited.plan('{ teams { nodes { id } } }', null),
      limited.pin('{ memberships { nodes { id } } }', null),
    ]);
    expect([first, second, sameAsFirst, registered].map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    expect(third).toMatchObject({ status: 'rejected', reason: { code: 'overloaded' } });
    expect(steps((await limited.plan('{ organizations { nodes { id } } }', null)).node)).toEqual([['organizations']]);
    await limited.close();
  });

  test('a process that is paused for longer than the budget still plans', async () => {
    const router = spawn(process.execPath, [join(import.meta.dirname, 'paused-planner.ts')], {
      // its own group, with the process of the planner
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: router.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('paused');
    await setTimeout(2_600);
    process.kill(-Number(router.pid), 'SIGCONT');
    expect((await lines.next()).value).toBe('planned');
  });

  test('a process that does not answer is replaced, and the next operation is planned', async () => {
    const hanging = createPlanner({ supergraphSdl, budgetMs: 600_000, answerMs: 6_000 });
    await hanging.pin('{ organizations { nodes { id } } }', null);
    const slow = hanging.pin(large(8_000), null);
    const next = hanging.pin('{ teams { nodes { id } } }', null);
    await expect(slow).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(steps((await next).node)).toEqual([['organizations']]);
    await hanging.close();
  });

  test('an operation waits for its plan no longer than it may take', async () => {
    const busy = createPlanner({ supergraphSdl, budgetMs: 600_000 });
    const slow = busy.pin(large(8_000), null).catch(() => null);
    const limited = busy.plan('{ teams { nodes { id } } }', null, undefined, 100);
    await expect(limited).rejects.toMatchObject({ code: 'upstream_timeout' });
    await busy.close();
    await slow;
  });

  test('closing stops the planning', async () => {
    const closing = createPlanner({ supergraphSdl });
    const slow = closing.plan(large(4_000), null);
    const waiting = closing.plan('{ teams { nodes { id } } }', null);
    const rejected = Promise.allSettled([slow, waiting]);
    await closing.close();
    for (const { reason } of (await rejected).filter((each) => each.status === 'rejected'))
      expect(reason).toMatchObject({ code: 'upstream_unavailable' });
    expect((await rejected).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

test('an operation that ends the planner is rejected, and does not end it again; others are planned', async () => {
  const { media, reviews } = interfaceObjects;
  const crashing = createPlanner({ supergraphSdl: composed({ media: media ?? '', reviews: reviews ?? '' }) });
  // the native planner panics: one field with two sets of arguments on two types of an interface object
  const text = '{ work { ... on Film { stars(of: 1) } ... on Book { stars } } }';
  await expect(crashing.plan(text, null)).rejects.toThrow('ended unexpectedly');
  await expect(crashing.plan(text, null)).rejects.toThrow('ended unexpectedly');
  expect(steps((await crashing.plan('{ all { title } }', null)).node)).toEqual([['media']]);
  await crashing.close();
});

test('an object is requested when its fragments apply to none of its types', async () => {
  const abstract = createPlanner({ supergraphSdl: composed(interfaces) });
  // a circle is a possession, but has no name
  const text = '{ eithers { ... on Circle { ... on Possession { ... on Named { name } } } } }';
  expect(steps((await abstract.plan(text, null)).node)).toHaveLength(1);
  await abstract.close();
});

test('an invalid supergraph fails its operations, not the process', async () => {
  const broken = createPlanner({ supergraphSdl: 'type Query { a: Int ' });
  await expect(broken.plan('{ a }', null)).rejects.toThrow('ended unexpectedly');
  await expect(broken.plan('{ a b }', null)).rejects.toThrow('ended unexpectedly');
  await broken.close();
});
