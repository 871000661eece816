/** The query plans of REST operations: one request to an area at a time, and no avoidable step. */
import { expect, test } from '@jest/globals';
import { buildASTSchema, parse } from 'graphql';
import { wavesOf } from '../../commands/operations.ts';
import { documentsOf } from '../../rest-bridge/operations/load-operations.ts';
import { createNativePlanner } from '../../router/planner/native-planner.ts';
import { createAudienceSchema, prepareOperation } from '../../router/operations/prepared-operation.ts';
import { loadSupergraph } from '../../router/supergraph.ts';
import { restApi } from '../../wiring/rest-api.ts';

test('no REST operation queries an area twice in parallel, or a second time, except the export', () => {
  const { supergraphSdl, schemas } = loadSupergraph();
  const reader = createAudienceSchema(schemas.public, supergraphSdl);
  const planner = createNativePlanner(supergraphSdl);
  const supergraph = buildASTSchema(parse(supergraphSdl), { assumeValidSDL: true });
  const waves = [...documentsOf(restApi().operations)].map(
    ([id, text]) => [id, wavesOf(supergraph, planner, prepareOperation(reader, text(), null, { validated: true }))] as const,
  );
  expect(waves.length).toBeGreaterThan(200);
  const repeated = waves.filter(([, requested]) => new Set(requested.flat()).size < requested.flat().length);
  // the data of all areas, and then the names of other athletes in it; an export is rare
  expect(repeated.map(([name]) => name)).toEqual(['exportAthlete', 'exportAthlete.fields']);
});
