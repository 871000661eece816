/** Deletes test data in the sandbox process, for the accounts area in another process. */
import { randomUUID } from 'node:crypto';
import type { Origins } from '../../platform/http/instances.ts';
import { createPeer } from '../../platform/http/peer.ts';
import { isErrorCode, Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import { operationTimeouts } from '../../schema/subgraph-client.ts';

export const resetPath = '/test-data/reset';

export interface ResetClient {
  /** As `reset` of Sandboxes. */
  reset(accountId: string): Promise<void>;
  close(): Promise<void>;
}

/** @param key the key of the edge accounts → sandbox */
export function createResetClient({ url, key }: { readonly url: Origins; readonly key: Buffer }): ResetClient {
  const peer = createPeer({ name: 'The process sandbox', url, key, deadlineMs: operationTimeouts.mutationMs, connections: 4 });
  return {
    async reset(accountId) {
      const requestId = randomUUID();
      const { status, body } = await peer.post({ path: resetPath, subject: accountId, payload: {}, mutation: true, requestId });
      if (status === 200) return;
      const { code, detail, extensions } = isRecord(body) ? body : {};
      if (isErrorCode(code)) throw new Problem(code, String(detail), isRecord(extensions) ? extensions : {});
      throw new Problem('upstream_unavailable', 'The test data is unavailable. Retry the request.');
    },
    close: () => peer.close(),
  };
}
