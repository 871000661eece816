/** An assistant: the official MCP client over HTTP, with the headers of its last response. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/client';

/** The revision of the protocol: 2025 starts with a handshake, 2026 has none. */
export type Revision = '2025' | '2026';

export interface ToolResponse {
  readonly isError: boolean;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  readonly content: any;
}

export interface Assistant {
  readonly client: Client;
  /** Headers and status of the last response to a message. */
  last(): Response;
  call(name: string, given?: Record<string, unknown>): Promise<ToolResponse>;
  close(): Promise<void>;
}

export interface AssistantOptions {
  readonly headers?: Record<string, string>;
  readonly revision?: Revision;
  /** Sends the requests; default: fetch. */
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

export async function openAssistant(url: string, options: AssistantOptions = {}): Promise<Assistant> {
  const { headers = {}, revision = '2025', fetch: send = fetch } = options;
  let last: Response | null = null;
  const client = new Client(
    { name: 'assistant', version: '1.0.0' },
    revision === '2026' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers },
      async fetch(target, init) {
        const response = await send(target, init);
        if (init?.method === 'POST') last = response;
        return response;
      },
    }),
  );
  return {
    client,
    last() {
      if (last === null) throw new Error('no response yet');
      return last;
    },
    async call(name, given = {}) {
      const result: CallToolResult = await client.callTool({ name, arguments: given });
      const [first] = result.content;
      return {
        isError: result.isError === true,
        text: first?.type === 'text' ? first.text : '',
        content: result.structuredContent,
      };
    },
    close: () => client.close(),
  };
}
