/** The graph as an area in a process of its own calls it: over HTTP, signed with the viewer it acts for. */
import { Pool } from 'undici';
import type { Graph } from '../schema/door.ts';
import { isErrorCode, Problem, type ProblemExtensions } from '../schema/errors.ts';
import type { Viewer } from '../schema/viewer.ts';
import { sign } from './signature.ts';

export interface GraphClient {
  as(viewer: Viewer, requestId: string): Graph;
  close(): Promise<void>;
}

const path = '/internal/graph';
const timeoutMs = 10_000;

interface Told {
  readonly data?: Record<string, unknown>;
  readonly code?: string;
  readonly detail?: string;
  readonly extensions?: ProblemExtensions;
}

/**
 * @param url where the router listens
 * @param key key of the edge area → router
 */
export function createGraphClient(url: string, key: Buffer): GraphClient {
  const pool = new Pool(url, { connections: 16, bodyTimeout: timeoutMs, headersTimeout: timeoutMs, keepAliveTimeout: 60_000 });

  async function call(viewer: Viewer, requestId: string, body: string): Promise<Told> {
    try {
      const signed = sign({ key, method: 'POST', path, subject: JSON.stringify(viewer), body, mutation: false });
      const headers = { ...signed, 'content-type': 'application/json', 'x-request-id': requestId };
      const answer = await pool.request({ method: 'POST', path, body, headers });
      return (await answer.body.json()) as Told;
    } catch {
      throw new Problem('upstream_unavailable', 'The router cannot be reached. Try again shortly.');
    }
  }

  return {
    as: (viewer, requestId) => async (operation, variables) => {
      const { data, code, detail, extensions } = await call(
        viewer,
        requestId,
        JSON.stringify({ operation, variables: variables ?? {} }),
      );
      if (data) return data;
      throw new Problem(isErrorCode(code) ? code : 'internal', detail ?? 'The graph gave no answer.', extensions);
    },
    close: () => pool.close(),
  };
}
