/** The Model Context Protocol over the operations that have @tool, as a Fastify plugin. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { openApiDocument } from '../documentation/openapi.ts';
import { mcpEndpoint } from './endpoint.ts';
import { createOriginCheck } from './origins.ts';
import { createToolCalls, type CallTool, type ToolCallOptions } from './tool-calls.ts';
import { toolDefinitions } from './tool-definition.ts';

export interface McpOptions extends Omit<ToolCallOptions, 'onError'> {
  readonly apiSchema: GraphQLSchema;
  /** The major version whose operations are offered. */
  readonly major: number;
  readonly publicUrl?: string | null | undefined;
  readonly baseDomain?: string | null | undefined;
}

export function createMcp({ apiSchema, major, publicUrl, baseDomain, ...options }: McpOptions): FastifyPluginAsync {
  const operations = options.operations.filter((operation) => operation.major === major && operation.isTool);

  return async (app: FastifyInstance) => {
    const createToolCall = createToolCalls({
      ...options,
      onError: (err, operation) => app.log.error({ err, operation }, 'tool response could not be built'),
    });
    const calls = new Map<string, () => CallTool>(
      operations.map((operation) => {
        let created: CallTool | null = null;
        return [operation.name, () => (created ??= createToolCall(operation))];
      }),
    );
    await app.register(mcpEndpoint, {
      entryPoint: options.entryPoint,
      callTool: (name) => calls.get(name)?.() ?? null,
      isAllowedOrigin: createOriginCheck({ publicUrl, baseDomain }),
      async openMessageServer() {
        // on the first message: the SDK takes 0.1 s to load
        const { createMessageServer } = await import('./message-server.ts');
        const document = openApiDocument({ apiSchema, operations: options.operations, major, publicUrl });
        return createMessageServer({
          version: String(document.info['version']),
          tools: toolDefinitions(document, operations),
          onError: (err) => app.log.info({ reason: err.message.slice(0, 200) }, 'MCP message rejected'),
        });
      },
    });
  };
}
