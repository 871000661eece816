/** Test mode for a router: sends the operations of test keys to the sandbox process. */
import type { Logger } from 'pino';
import { protectSubgraph } from '../../router/protection/protected-subgraph.ts';
import { createFramedSubgraph } from '../../router/transport/framed-subgraph.ts';
import type { Origins } from '../../platform/http/instances.ts';
import type { Closeable } from '../../platform/stop-gracefully.ts';
import { divert } from './divert.ts';
import { executed } from './rejection.ts';
import type { Sandboxes } from './sandboxes.ts';

export interface SandboxClientOptions {
  /** Origin of the sandbox process, or those of its instances. */
  readonly url: Origins;
  /** The key of the edge router → sandbox. */
  readonly key: Buffer;
  /** The key that signs tickets. */
  readonly ticketKey: Buffer;
  readonly log: Logger;
}

/** Its circuits are separate from those of the platform: live keys do not notice when the process is down. */
export function createSandboxClient({
  url,
  key,
  ticketKey,
  log,
}: SandboxClientOptions): Pick<Sandboxes, 'route'> & Pick<Closeable, 'close'> {
  const closings: (() => Promise<void>)[] = [];
  return {
    route(area, client, unprotected) {
      const framed = createFramedSubgraph({ area, process: 'sandbox', url, key, ticketKey });
      const sandboxed = protectSubgraph(framed, { area: `${area} of test mode`, log });
      closings.push(async () => sandboxed.close?.());
      return divert(area, client, async (request) => executed(await sandboxed.query(request)), unprotected);
    },
    async close() {
      await Promise.all(closings.map((closing) => closing()));
    },
  };
}
