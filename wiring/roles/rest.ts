/** The process of the role `rest`: the REST API. */
import { readEnvironment } from '../../platform/env.ts';
import { createEntryPointClient } from '../../platform/http/entry-point-client.ts';
import { createStreamClient } from '../../platform/http/stream-client.ts';
import { addImageRoutes } from '../../platform/images/image-routes.ts';
import { validKeys } from '../../platform/security/secrets.ts';
import { peerVariables } from '../environment.ts';
import { openImageStore } from '../images.ts';
import { requireSecrets } from '../installation.ts';
import { edge, imagePurpose } from '../keys.ts';
import type { Open } from '../opened-process.ts';
import { createIsMutation, serverOptions } from '../process-options.ts';
import { createPublicServer } from '../public-server/public-server.ts';
import { addRest } from '../public-server/rest.ts';

export const openRestProcess: Open = async (source, log) => {
  const secrets = requireSecrets('rest', source);
  const { ROUTER_URL } = readEnvironment(source, peerVariables);
  const key = secrets.derive(edge('rest', 'router'));
  const entryPoint = createEntryPointClient({ url: ROUTER_URL, key, isMutation: createIsMutation() });
  const ready = async (): Promise<void> => {
    const signal = AbortSignal.timeout(2_000);
    await Promise.any(
      ROUTER_URL.map(async (url) => {
        const { ok } = await fetch(new URL('/ready', url), { signal });
        if (!ok) throw new Error('The router is not ready');
      }),
    );
  };
  const options = { ...serverOptions(source, log), readiness: { router: ready } };
  const app = await createPublicServer(options);
  await addRest(app, { entryPoint, eventStreams: createStreamClient({ url: ROUTER_URL, key }) }, options);
  addImageRoutes(app, { store: openImageStore(source, log), keys: validKeys(secrets, imagePurpose) });
  return {
    app,
    closeables: [[{ name: 'server', close: () => app.close() }], [{ name: 'router', close: () => entryPoint.close() }]],
  };
};
