/** Generates docs/event-types.md, the guide of all event types, from the catalogue and the OpenAPI document. */
import { join } from 'node:path';
import type { OpenApiDocument } from '../rest-bridge/documentation/openapi.ts';
import { areas } from '../schema/areas.ts';
import { eventCatalogue, type CatalogueEntry } from '../schema/event-catalogue.ts';
import { subjectOperations } from '../schema/event-subjects.ts';
import { latestOpenApiDocument } from './openapi.ts';

const root = join(import.meta.dirname, '..');

const introduction = `# Event types

The [feed](events.md), webhooks and the stream have the same types of events. \`npm run schema\` generates this page.

\`\`\`sh
curl 'http://localhost:4000/api/v1/event-types?include=example'
\`\`\`

\`\`\`json
{
  "data": [
    {
      "type": "match.finished",
      "description": "A match finished",
      "area": "COMPETITIONS",
      "resource": "match",
      "visibility": "PUBLIC",
      "scope": "events:read",
      "hasSport": true,
      "schemaUrl": "/api/v1/openapi.json#/components/schemas/MatchEvent",
      "example": { "id": "0197a2c4-6a10-7c44-8b1d-52f0c7d9e310", "type": "match.finished" }
    }
  ]
}
\`\`\`

\`example\` is shortened here.

| document | events |
|---|---|
| \`/api/v1/openapi.json\` | one entry of \`webhooks\` for each type, with the headers of a delivery |
| \`/api/v1/asyncapi.json\` | the messages of webhooks and of the stream |

| column | meaning |
|---|---|
| \`data\` | the operation whose response is in \`data.representation\`; without one, \`data\` is null and only the accounts of the resource receive the event |
| sport | the events have sports, which the filter \`sport\` compares |
`;

function pathsByOperation({ paths }: OpenApiDocument): ReadonlyMap<string, string> {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => [operationId, path] as const),
  );
  return new Map(entries);
}

/** The page by path. */
export function eventTypesPage(): ReadonlyMap<string, string> {
  const paths = pathsByOperation(latestOpenApiDocument());
  const row = ({ type, description, resource, subject, hasSport }: CatalogueEntry): string => {
    const data = subject === null ? '' : `\`GET ${paths.get(subjectOperations[subject]) ?? ''}\``;
    return `| \`${type}\` | ${description} | \`${resource}\` | ${data} | ${hasSport ? 'yes' : ''} |`;
  };
  const sections = areas.map((area) => {
    const rows = eventCatalogue.filter((entry) => entry.area === area).map(row);
    const title = area.charAt(0).toUpperCase() + area.slice(1);
    return [
      `## ${title}`,
      '',
      '| type | published when | resource | `data` | sport |',
      '|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  return new Map([[join(root, 'docs/event-types.md'), `${introduction}\n${sections.join('\n')}`]]);
}
