/** Requests of node:http to the instances of another process: an agent per instance. undici has no informational responses. */
import http from 'node:http';
import https from 'node:https';
import { connectTimeoutMs, createBalancer, type Balancer } from './balancer.ts';
import type { Instance, Origins } from './instances.ts';

export interface InstanceAgent {
  /** Starts a request to a path of the instance. It fails with UND_ERR_CONNECT_TIMEOUT when the connection is not open after 2 s. */
  request(path: string, options: http.RequestOptions): http.ClientRequest;
  destroy(): void;
}

const connectTimeout = (): Error =>
  Object.assign(new Error('The connection was not open in time.'), { code: 'UND_ERR_CONNECT_TIMEOUT' });

function openAgent({ url, lookup }: Instance, options: http.AgentOptions): InstanceAgent {
  const { request, Agent } = new URL(url).protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, ...options });
  return {
    request(path, given) {
      const outgoing = request(new URL(path, url), { ...given, agent, ...(lookup !== undefined && { lookup }) });
      const timer = setTimeout(() => {
        if (outgoing.socket?.connecting === true) outgoing.destroy(connectTimeout());
      }, connectTimeoutMs);
      outgoing.once('close', () => clearTimeout(timer));
      outgoing.once('response', () => clearTimeout(timer));
      return outgoing;
    },
    destroy: () => agent.destroy(),
  };
}

/** Chooses an instance for each request (balancer.ts). */
export const createInstanceAgents = (url: Origins, options: http.AgentOptions): Balancer<InstanceAgent> =>
  createBalancer({ url, open: (instance) => openAgent(instance, options), close: (agent) => agent.destroy() });
