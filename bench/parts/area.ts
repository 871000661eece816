/** An area for stock gateways: plain HTTP without signature, log and limits. This favors the gateways. */
import Fastify from 'fastify';
import { createLog } from '../../platform/log.ts';
import { areaRole, roleUrl } from '../../platform/database/roles.ts';
import { openSecrets } from '../../platform/security/secrets.ts';
import type { Area } from '../../schema/areas.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { openArea } from '../../wiring/area.ts';
import type { OpenPart, PartSettings } from '../part.ts';
import { listen } from './listen.ts';

interface Body {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string | null;
}

export async function openPlainArea(area: Area, { ownerUrl, secret }: PartSettings): Promise<OpenPart> {
  const secrets = openSecrets(secret);
  const graphAs = () => () => Promise.reject(new Error('reads call no other area'));
  const log = createLog({ name: area, level: 'error' });
  const subgraph = await openArea(area, { databaseUrl: roleUrl(ownerUrl, areaRole(area), secrets), secrets, log, graphAs });
  const app = Fastify();
  app.post<{ Body: Body }>('/graphql', async ({ body, id }, reply) => {
    const response = await subgraph.query({
      query: body.query,
      variables: body.variables ?? {},
      operationName: body.operationName ?? null,
      viewer: ANONYMOUS,
      requestId: id,
      signal: undefined,
    });
    return reply.header('content-type', 'application/json').send(JSON.stringify(response));
  });
  return listen(app, [subgraph]);
}
