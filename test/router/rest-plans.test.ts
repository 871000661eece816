/** What the REST operations ask of the areas: one request to an area at a time, and no step that could have been spared. */
import { expect, test } from '@jest/globals';
import { buildASTSchema, parse } from 'graphql';
import { stepsOfAll, wavesOf } from '../../commands/operations.ts';
import { documentsOf } from '../../rest-bridge/operations/load-operations.ts';
import { createPlanFunction } from '../../router/planner/plan.ts';
import { createAudienceSchema, prepareOperation } from '../../router/operations/prepared-operation.ts';
import { loadSupergraph } from '../../router/supergraph.ts';
import { restApi } from '../../wiring/rest-api.ts';

test('no REST operation asks an area twice at once, or an area for the second time, but an export', () => {
  const { supergraphSdl, schemas } = loadSupergraph();
  const reader = createAudienceSchema(schemas.public, supergraphSdl);
  const plan = createPlanFunction(supergraphSdl);
  const supergraph = buildASTSchema(parse(supergraphSdl), { assumeValidSDL: true });
  const waves = [...documentsOf(restApi().operations)].map(
    ([id, text]) =>
      [id, wavesOf(stepsOfAll(supergraph, plan, prepareOperation(reader, text(), null, { validated: true })))] as const,
  );
  expect(waves.length).toBeGreaterThan(200);
  const repeated = waves.filter(([, asked]) => new Set(asked.flat()).size < asked.flat().length);
  // what is held of an athlete, by all areas, and then the names of whoever else is in it: asked once in a profile's life
  expect(repeated.map(([name]) => name)).toEqual(['exportAthlete', 'exportAthlete.fields']);
});
