/** The status page at /status and its Atom feed, from the same reads as `GET /status`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../../platform/http/security-headers.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { errors as problems, Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import { xmlText } from '../../schema/texts.ts';
import type { EntryPoint } from '../../schema/entry-point.ts';
import type { Operation } from '../operations/operation.ts';
import { exposed } from '../responses/cors.ts';
import { problemOf } from '../responses/execution-problem.ts';
import { documentOf, escape } from './html.ts';
import type { Page } from './static-page.ts';
import {
  componentBars,
  incidentEntry,
  incidentsOf,
  statusOf,
  statusTitles,
  timeOf,
  type Incident,
  type Status,
} from './status-parts.ts';

/** Each process reads at most once in this time, for all visitors. */
const refreshMs = 15_000;
const shownIncidents = 50;
const pagePath = '/status';

interface Shown {
  readonly status: Status;
  readonly incidents: readonly Incident[];
  readonly readAtMs: number;
}

/** All visitors share the reads, so none of them is charged. The address is reserved for documentation (RFC 5737). */
const pageCaller = { credentials: [], address: '192.0.2.1', traceparent: null } as const;

/** Reads the status for the pages; a failed read keeps the last one. */
function createReader(entryPoint: EntryPoint, operations: readonly Operation[]) {
  let shown: Shown | null = null;
  let reading: Promise<void> = Promise.resolve();
  let triedAtMs = -Infinity;

  async function read(request: FastifyRequest, name: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> {
    const operation = operations.find((each) => each.name === name);
    const [document] = operation?.documents ?? [];
    if (operation === undefined || document === undefined) throw new Error(`There is no operation ${name}.`);
    const caller = { ...pageCaller, host: request.host, requestId: request.id };
    const { data, errors, settle } = await entryPoint.execute({
      caller,
      operation: document.id,
      input: { document: document.id, variables },
    });
    settle({ status: errors.length > 0 ? problems[problemOf(errors, null).code].status : 200 });
    return data === null ? null : data[operation.rootName];
  }

  async function refresh(request: FastifyRequest): Promise<void> {
    const [status, incidents] = await Promise.all([
      read(request, 'getStatus', {}),
      read(request, 'listIncidents', { limit: shownIncidents }),
    ]);
    if (isRecord(status) && isRecord(incidents))
      shown = { status: statusOf(status), incidents: incidentsOf(incidents['data']), readAtMs: Date.now() };
  }

  return async (request: FastifyRequest): Promise<Shown | null> => {
    if (performance.now() - triedAtMs >= refreshMs) {
      triedAtMs = performance.now();
      const started = refresh(request).catch((error: unknown) => request.log.warn({ err: error }, 'status could not be read'));
      reading = started;
    }
    await reading;
    return shown;
  };
}

const send = (reply: FastifyReply, status: number, type: string, body: string): FastifyReply =>
  reply
    .code(status)
    .headers({
      ...exposed,
      ...pageHeaders,
      'content-type': type,
      'cache-control': 'public, max-age=15',
    })
    .send(body);

/** The title of a component by its name. */
const titlesOf =
  ({ components }: Status) =>
  (name: string): string =>
    components.find((each) => each.name === name)?.title ?? name;

function statusPage(shown: Shown | null): string {
  if (shown === null)
    return documentOf(
      'Status',
      `<main class="status"><h1>Status</h1><p class="banner unknown">The status is unknown: the API does not respond. Try again in a minute.</p></main>`,
    );
  const { status, incidents, readAtMs } = shown;
  const titleOf = titlesOf(status);
  const isOld = Date.now() - readAtMs > 2 * refreshMs;
  const banner = isOld ? 'unknown' : status.status.toLowerCase();
  const text = isOld
    ? 'The status is unknown: the API does not respond. Below is the last known status.'
    : statusTitles[status.status].platform;
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  const past = incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  return documentOf(
    'Status',
    `<main class="status">
<h1>Status</h1>
<p class="banner ${banner}" role="status">${text}</p>
<p><small>${status.checkedAt === null ? 'Not checked yet.' : `Last check: ${timeOf(status.checkedAt)}.`} Components are checked every minute. Minutes without a check are not counted.</small></p>
${open.length > 0 ? `<h2>Open incidents and maintenance</h2>\n${open.map((each) => incidentEntry(each, titleOf)).join('\n')}` : ''}
<h2>Components</h2>
<ul class="components">${status.components.map(componentBars).join('\n')}</ul>
<h2>Past incidents</h2>
${past.length > 0 ? past.map((each) => incidentEntry(each, titleOf)).join('\n') : '<p>There are no past incidents.</p>'}
<p><a href="${pagePath}.atom">Atom feed</a> · <a href="/api/v1/status">JSON</a> · <a href="/">Start page</a></p>
</main>`,
  );
}

function statusFeed(base: string, { status, incidents }: Pick<Shown, 'status' | 'incidents'>): string {
  const entries = incidents.map(
    (incident) => `  <entry>
    <id>urn:uuid:${escape(incident.id)}</id>
    <title>${escape(incident.title)}</title>
    <updated>${escape(incident.updatedAt)}</updated>
    <published>${escape(incident.startedAt)}</published>
    <link href="${escape(`${base}${pagePath}#${incident.id}`)}"/>
    <content type="html">${escape(incidentEntry(incident, titlesOf(status)))}</content>
  </entry>`,
  );
  const updated =
    incidents
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? '1970-01-01T00:00:00Z';
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:talent-platform:status</id>
  <title>Talent Platform: status</title>
  <author><name>Talent Platform</name></author>
  <updated>${escape(updated)}</updated>
  <link rel="self" href="${escape(`${base}${pagePath}.atom`)}"/>
  <link href="${escape(`${base}${pagePath}`)}"/>
${entries.join('\n')}
</feed>
`;
}

/** @param publicUrl scheme and host of links in the feed; links are relative without it */
export function statusPages({
  entryPoint,
  operations,
  publicUrl,
}: {
  entryPoint: EntryPoint;
  operations: readonly Operation[];
  publicUrl?: string | null | undefined;
}): Page[] {
  const read = createReader(entryPoint, operations);
  const base = publicUrl?.replace(/\/$/, '') ?? '';
  return [
    {
      path: pagePath,
      handler: async (request, reply) => {
        const shown = await read(request);
        return send(reply, shown === null ? 503 : 200, 'text/html; charset=utf-8', statusPage(shown));
      },
    },
    {
      path: `${pagePath}.atom`,
      handler: async (request, reply) => {
        const shown = await read(request);
        if (shown === null)
          return sendProblem(reply, new Problem('upstream_unavailable', 'The API does not respond. Try again in a minute.'));
        return send(reply, 200, 'application/atom+xml; charset=utf-8', xmlText(statusFeed(base, shown)));
      },
    },
  ];
}
