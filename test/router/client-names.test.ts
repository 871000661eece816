/** Names that a client chooses (aliases, variables) never collide with internal names. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Problem } from '../../schema/errors.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Execution } from '../../router/executor/executor.ts';
import { createSmallFederation } from './small-federation.ts';

const platform = createSmallFederation();
afterAll(() => platform.graph.close());
beforeEach(() => platform.broken.clear());

function run(text: string, variables: Record<string, unknown> = {}, viewer: Viewer = ANONYMOUS): Promise<Execution> {
  return platform.graph.execute({ text, operationName: null, audience: 'public' }, { variables, viewer, requestId: 'r' });
}

test('aliases and variables with internal names of the query planner return what they select', async () => {
  const { data, errors } = await run(
    'query ($representations: Int!, $__batch_reps_0: ID!) { organizations(first: $representations) { nodes { _internal_qp_alias_0: name strength } } athlete(id: $__batch_reps_0) { displayName } }',
    { representations: 1, __batch_reps_0: 'a' },
  );
  expect(errors).toEqual([]);
  expect(data).toEqual({
    organizations: { nodes: [{ _internal_qp_alias_0: 'Alpha', strength: 2 }] },
    athlete: { displayName: 'Athlete a' },
  });
});

describe('an alias with the name of a key', () => {
  test('returns the selected field, not the key', async () => {
    const { data, errors } = await run('{ organizations(first: 1) { nodes { id: name strength } } }');
    expect(errors).toEqual([]);
    expect(data).toEqual({ organizations: { nodes: [{ id: 'Alpha', strength: 2 }] } });
  });

  test('does not expose a hidden key', async () => {
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

  test('is null where the field is denied', async () => {
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

  test('appears in error paths as the client wrote it', async () => {
    platform.broken.set('athletes', new Problem('upstream_unavailable', 'athletes is unavailable.'));
    const { data, errors } = await run('{ id: athlete(id: "a") { displayName } }');
    expect(data).toEqual({ id: null });
    expect(errors).toEqual([{ message: 'athletes is unavailable.', path: ['id'], extensions: { code: 'upstream_unavailable' } }]);
    const denied = await run('{ organization(id: "1") { athletes { ref: notes } } }');
    expect(denied.errors).toMatchObject([{ path: ['organization', 'athletes', 'ref'] }]);
  });
});

test('a variable may have the name of the variable of the planner', async () => {
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

describe('names of prototype members', () => {
  test('are usable as aliases', async () => {
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

  test('are null when the field could not be fetched', async () => {
    platform.broken.set('organizations', new Problem('upstream_unavailable', 'organizations is unavailable.'));
    const { data } = await run('{ athlete(id: "a") { displayName constructor: organization { name sport } } }');
    expect(data).toEqual({ athlete: { displayName: 'Athlete a', constructor: null } });
    const inner = await run('{ athlete(id: "a") { organization { toString: sport constructor: sport valueOf: sport } } }');
    expect(inner.data).toEqual({ athlete: { organization: { toString: null, constructor: null, valueOf: null } } });
    const root = await run('{ toString: organization(id: "1") { name } athlete(id: "a") { displayName } }');
    expect(root.data).toEqual({ toString: null, athlete: { displayName: 'Athlete a' } });
  });

  test.each(['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__'])('%s is usable as a variable', async (name) => {
    const text = `query ($${name}: Boolean! = true) { organization(id: "1") { name @include(if: $${name}) sport @skip(if: $${name}) } }`;
    const given = JSON.parse(`{"${name}": false}`) as Record<string, unknown>;
    expect(await run(text)).toMatchObject({ data: { organization: { name: 'Alpha' } }, errors: [] });
    expect((await run(text, given)).data).toEqual({ organization: { sport: 'FOOTBALL' } });
  });
});

test('an alias with the name of a prototype member is null while its area is unavailable', async () => {
  platform.broken.set('organizations', new Problem('upstream_unavailable', 'organizations is unavailable.'));
  const { data, errors } = await run('{ constructor: organization(id: "1") { name } }');
  expect(data).toEqual({ constructor: null });
  expect(errors).toMatchObject([{ path: ['constructor'], extensions: { code: 'upstream_unavailable' } }]);
});
