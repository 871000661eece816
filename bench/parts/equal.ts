/** The equal routes: hand-written, with everything that the platform does for the same response: log, key, exact quota, every header. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../platform/http/caller.ts';
import { createCursorCodec, type CursorCodec } from '../../platform/lists/cursor.ts';
import { openDatabase, type Queryable } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log.ts';
import { networkOf } from '../../platform/http/networks.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { roleUrl, routerRole } from '../../platform/database/roles.ts';
import { openSecrets } from '../../platform/security/secrets.ts';
import { matchesTag } from '../../platform/http/entity-tag.ts';
import { entityTag } from '../../rest-bridge/responses/caching.ts';
import { exposed } from '../../rest-bridge/responses/cors.ts';
import { createAdmission } from '../../router/admission/admission.ts';
import { createPostgresQuota, quotaPool } from '../../router/admission/quota/postgres.ts';
import { createPublicServer } from '../../wiring/public-server/public-server.ts';
import type { OpenPart, PartSettings } from '../part.ts';
import { readAthletes, readAthletesJoined, type AccountId } from './athletes-sql.ts';
import { listen } from './listen.ts';

type Read = (
  database: Queryable,
  cursors: CursorCodec,
  account: AccountId,
  limit: number,
) => Promise<{ readonly page: { readonly nextCursor: string | null } }>;

interface Request {
  readonly Querystring: { readonly limit: string };
}

export async function openEqual({ ownerUrl, secret }: PartSettings): Promise<OpenPart> {
  const secrets = openSecrets(secret);
  const log = createLog({ name: 'equal', level: 'info' });
  const database = openDatabase({ url: ownerUrl, name: 'equal' });
  const routerUrl = roleUrl(ownerUrl, routerRole, secrets);
  const keys = openDatabase({ url: routerUrl, name: 'router', poolSize: 4 });
  const counters = openDatabase({ url: routerUrl, name: 'quota', ...quotaPool });
  const admission = createAdmission({ database: keys, secrets, log, counters: createPostgresQuota(counters, log) });
  const cursors = createCursorCodec(secrets.derive('cursor'));
  const app = await createPublicServer({ log, trustedProxies: [networkOf('127.0.0.1')], publicUrl: null, readiness: {} });

  const respond = (read: Read) => async (request: FastifyRequest<Request>, reply: FastifyReply) => {
    const outcome = await admission.admit(callerOf(request), { charge: 'COUNTED', cost: 1 });
    reply.headers(outcome.headers).headers(exposed);
    if (outcome.kind === 'REJECTED') return sendProblem(reply, outcome.problem);
    const value = await read(database, cursors, outcome.viewer.accountId, Number(request.query.limit));
    const body = JSON.stringify(value);
    const etag = entityTag(body, undefined);
    const { nextCursor } = value.page;
    reply
      .header('cache-control', 'private, no-cache')
      .header('vary', 'accept, accept-encoding, x-api-key, authorization')
      .header('etag', etag);
    if (nextCursor !== null) {
      const [path = ''] = request.url.split('?', 1);
      const next = `${request.protocol}://${request.host}${path}?limit=${request.query.limit}&cursor=${encodeURIComponent(nextCursor)}`;
      reply.header('link', `<${next}>; rel="next"`);
    }
    const { 'if-none-match': known } = request.headers;
    const status = known !== undefined && matchesTag(known, etag) ? 304 : 200;
    outcome.settle({ status });
    if (status === 304) return reply.code(status).send();
    return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
  };
  app.get<Request>('/api/v1/athletes', respond(readAthletes));
  app.get<Request>('/api/v1/athletes-with-organizations', respond(readAthletesJoined));
  return listen(app, [admission, keys, counters, database]);
}
