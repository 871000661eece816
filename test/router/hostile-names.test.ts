/** Names that a caller chooses (aliases, variables) are his alone: they never stand for names of ours. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Problem } from '../../schema/errors.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Execution } from '../../router/executor/executor.ts';
import { smallWorld } from './small-world.ts';

const platform = smallWorld();
afterAll(() => platform.graph.close());
beforeEach(() => platform.broken.clear());

function run(text: string, variables: Record<string, unknown> = {}, viewer: Viewer = ANONYMOUS): Promise<Execution> {
  return platform.graph.execute({ text, operationName: null, audience: 'public' }, { variables, viewer, requestId: 'r' });
}

describe('an alias with the name of a key', () => {
  test('answers what was asked, not the key', async () => {
    const { data, errors } = await run('{ organizations(first: 1) { nodes { id: name strength } } }');
    expect(errors).toEqual([]);
    expect(data).toEqual({ organizations: { nodes: [{ id: 'Alpha', strength: 2 }] } });
  });

  test('does not show a key that is hidden', async () => {
    const { data, errors } = await run(
      '{ athlete(id: "a") { ref: displayName ...f } } fragment f on Athlete { clubs { name: id id: name } }',
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      athlete: {
        ref: 'Athlete a',
        clubs: [
          { name: '1', id: 'Alpha' },
          { name: '2', id: 'Beta' },
        ],
      },
    });
  });

  test('is null where the field needs a right', async () => {
    const { data, errors } = await run('{ athlete(id: "a") { clubs { id: secret strength } } }');
    expect(data).toEqual({
      athlete: {
        clubs: [
          { id: null, strength: 2 },
          { id: null, strength: 1 },
        ],
      },
    });
    expect(errors).toMatchObject([{ path: ['athlete', 'clubs', 'id'], extensions: { code: 'insufficient_scope' } }]);
  });

  test('stands in the paths of faults as the caller wrote it', async () => {
    platform.broken.set('athletes', new Problem('upstream_unavailable', 'athletes is away.'));
    const { data, errors } = await run('{ id: athlete(id: "a") { displayName } }');
    expect(data).toEqual({ id: null });
    expect(errors).toEqual([{ message: 'athletes is away.', path: ['id'], extensions: { code: 'upstream_unavailable' } }]);
    const denied = await run('{ organization(id: "1") { athletes { ref: notes } } }');
    expect(denied.errors).toMatchObject([{ path: ['organization', 'athletes', 'ref'] }]);
  });
});

test('a variable may be called as the planner calls its own', async () => {
  const { data, errors } = await run(
    'query ($representations: Boolean!) { organization(id: "1") { athletes { id displayName @include(if: $representations) } } }',
    { representations: true },
  );
  expect(errors).toEqual([]);
  expect(data).toEqual({
    organization: {
      athletes: [
        { id: 'a', displayName: 'Athlete a' },
        { id: 'b', displayName: 'Athlete b' },
      ],
    },
  });
});

describe('names of members that every object has', () => {
  test('are aliases like any', async () => {
    const { data, errors } = await run(
      '{ constructor: organization(id: "1") { toString: name valueOf: athletes { hasOwnProperty: displayName } } }',
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      constructor: {
        toString: 'Alpha',
        valueOf: [{ hasOwnProperty: 'Athlete a' }, { hasOwnProperty: 'Athlete b' }],
      },
    });
  });

  test('are null for what could not be fetched', async () => {
    platform.broken.set('organizations', new Problem('upstream_unavailable', 'organizations is away.'));
    const { data } = await run('{ athlete(id: "a") { displayName constructor: organization { name sport } } }');
    expect(data).toEqual({ athlete: { displayName: 'Athlete a', constructor: null } });
    const inner = await run('{ athlete(id: "a") { organization { toString: sport constructor: sport valueOf: sport } } }');
    expect(inner.data).toEqual({ athlete: { organization: { toString: null, constructor: null, valueOf: null } } });
    const root = await run('{ toString: organization(id: "1") { name } athlete(id: "a") { displayName } }');
    expect(root.data).toEqual({ toString: null, athlete: { displayName: 'Athlete a' } });
  });

  test.each(['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__'])('%s is a variable like any', async (name) => {
    const text = `query ($${name}: Boolean! = true) { organization(id: "1") { name @include(if: $${name}) sport @skip(if: $${name}) } }`;
    const given = JSON.parse(`{"${name}": false}`) as Record<string, unknown>;
    expect(await run(text)).toMatchObject({ data: { organization: { name: 'Alpha' } }, errors: [] });
    expect((await run(text, given)).data).toEqual({ organization: { sport: 'FOOTBALL' } });
  });
});

test('an alias that every object has a member for is null where its area is away', async () => {
  platform.broken.set('organizations', new Problem('upstream_unavailable', 'organizations is away.'));
  const { data, errors } = await run('{ constructor: organization(id: "1") { name } }');
  expect(data).toEqual({ constructor: null });
  expect(errors).toMatchObject([{ path: ['constructor'], extensions: { code: 'upstream_unavailable' } }]);
});
