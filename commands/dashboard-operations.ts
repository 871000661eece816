/** The types of the queries of the dashboard and the portal, from the documents in their screens and their schemas. */
import { loadSupergraph } from '../router/supergraph.ts';
import { documentTypes } from './document-types.ts';

/** The generated files by absolute path: dashboard/generated/ and dashboard/portal/generated/. */
export async function dashboardFiles(): Promise<ReadonlyMap<string, string>> {
  const { admin, portal } = loadSupergraph().schemas;
  const dashboard = await documentTypes({
    folder: 'dashboard/generated/',
    include: ['dashboard/**/*.{ts,tsx}'],
    exclude: ['dashboard/portal/**'],
    schema: admin,
  });
  const partners = await documentTypes({
    folder: 'dashboard/portal/generated/',
    // both apps use the documents of the shared components, so both schemas must have their fields
    include: ['dashboard/portal/**/*.{ts,tsx}', 'dashboard/components/{webhooks,events}/**/*.{ts,tsx}'],
    schema: portal,
  });
  return new Map([...dashboard, ...partners]);
}
