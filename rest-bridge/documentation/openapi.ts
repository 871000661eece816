/** The OpenAPI 3.1 document of a major version, derived from the operations that are served. */
import type { GraphQLSchema } from 'graphql';
import { release } from '../../platform/release.ts';
import { createJsonSchemas } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Operation } from '../operations/operation.ts';
import { versionPath } from '../versions.ts';
import { calendarOperation } from './openapi-calendars.ts';
import { streamOperation } from './openapi-stream.ts';
import { rateHeaders, responseHeaders } from './openapi-components.ts';
import { operationObject, tagOf } from './openapi-operation.ts';
import { problemExamples, problemResponses, problemSchemas } from './openapi-problems.ts';
import { withExamples } from './openapi-examples.ts';
import { withWebhooks } from './openapi-webhooks.ts';
import { createResponseSchemas } from './response-schema.ts';
import { inRestTerms } from './rest-terms.ts';

export interface OpenApiOptions {
  readonly apiSchema: GraphQLSchema;
  readonly operations: readonly Operation[];
  readonly major: number;
  /** Scheme and host of the server; without it the server is relative. */
  readonly publicUrl?: string | null | undefined;
}

/** One operation of the document. The members that the reference page reads are typed; the rest is JSON. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security: readonly JsonSchema[];
  readonly 'x-required-scopes'?: readonly string[];
  /** Media types of a list with all pages in one response. */
  readonly 'x-bulk-formats'?: readonly string[];
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  /** By event type. A document without the event feed has none. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

/** The areas of the API by the first segment of their paths. */
const tagDescriptions: Readonly<Record<string, string>> = {
  athletes: 'Profiles of athletes with their sports, statistics, memberships and consents.',
  competitions: 'Competitions, seasons, matches, results, rankings and replays.',
  'event-types': 'The types of events.',
  events: 'Changes of resources in one order.',
  me: 'The account, the key and the plan of the caller.',
  opportunities: 'Trials, contracts and scholarships, and applications to them.',
  organizations: 'Clubs, federations, universities and other organizations, their teams and members.',
  plans: 'Pricing plans with their limits.',
  'registered-documents': 'GraphQL documents that an account has registered.',
  reports: 'Reports of wrong or harmful content.',
  'saved-searches': 'Searches for athletes, prospects and opportunities that run again and report new matches.',
  search: 'Search over athletes, teams, organizations, competitions and opportunities.',
  scouting: 'Talent scores, recommendations, shortlists and contact requests.',
  sports: 'The sports with their disciplines, positions, events and metrics.',
  requests: 'The log of the requests of an account, and their analytics.',
  status: 'The status of the platform and of its components, and incidents.',
  'test-data': 'The data of test mode.',
  usage: 'Requests that were counted, and monthly statements.',
  webhooks: 'Endpoints that receive events, and their deliveries.',
};

interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

/** Deterministic: the same schema and operations give the same document, so that `npm run schema` can commit it. */
export function openApiDocument({ apiSchema, operations, major, publicUrl = null }: OpenApiOptions): OpenApiDocument {
  const base = publicUrl?.replace(/\/$/, '') ?? '';
  const inputs = createJsonSchemas(apiSchema);
  const responseSchemas = createResponseSchemas(apiSchema, inputs);
  const ofMajor = operations.filter((operation) => operation.major === major);
  const described = ofMajor.flatMap((operation): DescribedOperation[] => {
    const list = operationObject(apiSchema, operation, { operations: ofMajor, inputs, responseSchemas });
    const own = { path: operation.path, method: operation.method.toLowerCase(), operation: list };
    const others = [calendarOperation(operation, list), streamOperation(operation, list)].filter((each) => each !== null);
    return [own, ...others.map(([path, other]) => ({ path, method: 'get', operation: other }))];
  });
  const paths = Object.fromEntries(
    [...Map.groupBy(described, ({ path }) => path)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, group]) => [path, Object.fromEntries(group.map(({ method, operation }) => [method, operation]))]),
  );
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: 'Talent platform',
      version: release,
      description:
        'Athletes, competitions, scouting, opportunities and organizations. Errors are RFC 9457 problems. Unknown parameters and members are rejected.',
      contact: { name: 'Talent platform', ...(base === '' ? {} : { url: `${base}/docs` }) },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${base}${versionPath(major)}` }],
    tags: [...new Set(ofMajor.map(tagOf))]
      .sort()
      .map((name) => ({ name, description: tagDescriptions[name] ?? `Routes below /${name}.` })),
    paths,
    components: {
      schemas: { ...inputs.components(), ...responseSchemas.components(), ...problemSchemas },
      responses: problemResponses(rateHeaders),
      headers: responseHeaders,
      examples: problemExamples,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
  return withWebhooks(withExamples(inRestTerms(document)));
}
