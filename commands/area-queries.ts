/** The types of the queries between areas (subgraphs/clients/generated/), from the documents in subgraphs/ and the internal schema. */
import { loadSupergraph } from '../router/supergraph.ts';
import { documentTypes } from './document-types.ts';

/** The generated files, by absolute path. */
export const areaQueryFiles = (): Promise<ReadonlyMap<string, string>> =>
  documentTypes({
    folder: 'subgraphs/clients/generated/',
    include: ['subgraphs/**/*.ts'],
    schema: loadSupergraph().schemas.internal,
  });
