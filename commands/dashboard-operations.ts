/** The types of the dashboard's queries (dashboard/generated/), from the documents in its screens and the admin schema. */
import { loadSupergraph } from '../router/supergraph.ts';
import { documentTypes } from './document-types.ts';

/** The generated files by absolute path. */
export const dashboardFiles = (): Promise<ReadonlyMap<string, string>> =>
  documentTypes({
    folder: 'dashboard/generated/',
    include: ['dashboard/**/*.{ts,tsx}'],
    schema: loadSupergraph().schemas.admin,
  });
