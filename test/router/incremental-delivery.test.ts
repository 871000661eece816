/** The order of the parts of a response with @defer and @stream, and the errors in each. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Problem } from '../../schema/errors.ts';
import { mergeParts, partsOf } from './parts-reader.ts';
import { openSmallApi, type SmallApi } from './small-api.ts';

let api: SmallApi;
beforeAll(async () => void (api = await openSmallApi()));
afterAll(() => api.close());

const squad = '{ organization(id: "1") { name ... @defer(label: "squad") { athletes { displayName } } } }';
const athletes = [{ displayName: 'Athlete a' }, { displayName: 'Athlete b' }];

describe('the order', () => {
  test('the first part is sent before the area of a fragment has responded', async () => {
    const released = Promise.withResolvers<undefined>();
    api.platform.held.set('athletes', released.promise);
    const parts = partsOf(await api.send(squad));
    expect((await parts.next()).value).toEqual({ data: { organization: { name: 'Alpha' } }, hasNext: true });
    released.resolve(undefined);
    api.platform.held.clear();
    expect((await parts.next()).value).toMatchObject({ incremental: [{ data: { athletes } }], hasNext: false });
    expect(await parts.next()).toMatchObject({ done: true });
  });

  test('each fragment waits only for its own areas', async () => {
    const released = Promise.withResolvers<undefined>();
    api.platform.held.set('athletes', released.promise);
    const fragments = `{ organization(id: "1") { id ... @defer(label: "slow") { strength } ... @defer(label: "fast") { name } } }`;
    const parts = partsOf(await api.send(fragments));
    expect((await parts.next()).value).toEqual({ data: { organization: { id: '1' } }, hasNext: true });
    expect((await parts.next()).value).toMatchObject({
      incremental: [{ label: 'fast', data: { name: 'Alpha' } }],
      hasNext: true,
    });
    released.resolve(undefined);
    api.platform.held.clear();
    expect((await parts.next()).value).toMatchObject({ incremental: [{ label: 'slow', data: { strength: 2 } }], hasNext: false });
    await parts.return(undefined);
  });

  test('a streamed list without first items does not wait for the areas of its items', async () => {
    const released = Promise.withResolvers<undefined>();
    api.platform.held.set('athletes', released.promise);
    const parts = partsOf(await api.send('{ organization(id: "1") { name athletes @stream { displayName } } }'));
    expect((await parts.next()).value).toEqual({ data: { organization: { name: 'Alpha', athletes: [] } }, hasNext: true });
    released.resolve(undefined);
    api.platform.held.clear();
    expect((await parts.next()).value).toMatchObject({
      incremental: [{ items: athletes, path: ['organization', 'athletes', 0] }],
    });
    await parts.return(undefined);
  });

  test('fragments within lists and within fragments follow the part around them', async () => {
    const nested = `{ organizations { nodes { id ... on Organization @defer(label: "outer") {
      name athletes { id ... @defer(label: "inner") { displayName } } } } } }`;
    const parts = await api.allOf(nested);
    expect(parts.map(({ incremental = [] }) => incremental.map(({ path, label }) => `${label} ${path.join('.')}`))).toEqual([
      [],
      ['outer organizations.nodes.0', 'outer organizations.nodes.1'],
      [
        'inner organizations.nodes.0.athletes.0',
        'inner organizations.nodes.0.athletes.1',
        'inner organizations.nodes.1.athletes.0',
      ],
    ]);
    expect(mergeParts(parts)).toEqual({
      organizations: {
        nodes: [
          { id: '1', name: 'Alpha', athletes: ['a', 'b'].map((id) => ({ id, displayName: `Athlete ${id}` })) },
          { id: '2', name: 'Beta', athletes: [{ id: 'a', displayName: 'Athlete a' }] },
        ],
      },
    });
  });

  test('a fragment applies to the objects of its type only', async () => {
    const parts = await api.allOf('{ either { __typename ... on Person @defer { name } ... on Organization { id } } }');
    expect(parts[1]?.incremental).toEqual([{ data: { name: 'Pia' }, path: ['either', 2] }]);
  });

  test('client names that the planner reserves are restored in each part', async () => {
    const renamed = `{ organization(id: "1") { id: name ... @defer { ref: athletes { id: displayName } } } }`;
    expect(await api.allOf(renamed)).toEqual([
      { data: { organization: { id: 'Alpha' } }, hasNext: true },
      {
        incremental: [{ data: { ref: [{ id: 'Athlete a' }, { id: 'Athlete b' }] }, path: ['organization'] }],
        hasNext: false,
      },
    ]);
  });
});

describe('errors', () => {
  afterEach(() => api.platform.broken.clear());

  test('an error of an area is in the part that needs the area, whose null does not leave the part', async () => {
    api.platform.broken.set('athletes', new Problem('upstream_unavailable', 'The area athletes is unavailable.'));
    expect(await api.allOf(squad)).toEqual([
      { data: { organization: { name: 'Alpha' } }, hasNext: true },
      {
        incremental: [
          {
            data: null,
            path: ['organization'],
            label: 'squad',
            errors: [
              {
                message: 'The area athletes is unavailable.',
                path: ['organization', 'athletes'],
                extensions: { code: 'upstream_unavailable' },
              },
            ],
          },
        ],
        hasNext: false,
      },
    ]);
  });

  test('a null among the items of a streamed list ends the list', async () => {
    api.platform.broken.set('athletes', new Problem('upstream_unavailable', 'The area athletes is unavailable.'));
    const parts = await api.allOf('{ organization(id: "1") { name athletes @stream { displayName } } }');
    expect(parts[0]).toEqual({ data: { organization: { name: 'Alpha', athletes: [] } }, hasNext: true });
    expect(parts[1]).toMatchObject({
      incremental: [{ items: null, errors: [{ extensions: { code: 'upstream_unavailable' } }] }],
      hasNext: false,
    });
  });

  test('a part below a null is not delivered', async () => {
    expect(await api.allOf('{ organization(id: "unknown") { name ... @defer { sport } } }')).toEqual([
      { data: { organization: null }, hasNext: false },
    ]);
  });

  test('a field that the caller may not read is null, with its error in the part', async () => {
    const parts = await api.allOf('{ organization(id: "1") { name ... @defer { secret sport } } }');
    expect(parts[0]).toEqual({ data: { organization: { name: 'Alpha' } }, hasNext: true });
    expect(parts[1]).toMatchObject({
      incremental: [
        {
          data: { secret: null, sport: 'FOOTBALL' },
          errors: [{ path: ['organization', 'secret'], extensions: { code: 'insufficient_scope' } }],
        },
      ],
    });
  });

  test('a root field that the caller may not use rejects the operation', async () => {
    const response = await api.send('{ organization(id: "1") { name } ... @defer { mine { name } } }');
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'api_key_missing' } }] });
  });
});
