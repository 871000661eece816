/** A receiver of traces for tests: OTLP over HTTP with JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly boolValue?: boolean };
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
  /** `service.name` of its process. */
  readonly service: string;
}

interface Received {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'service'>[] }[];
  }[];
}

export const valueOf = (attributes: readonly Attribute[], name: string): string | number | boolean | undefined => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue ?? value?.boolValue;
};

export async function openOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    paths.add(`${request.url ?? ''} ${request.headers['content-type'] ?? ''}`);
    void json(request).then((body) => {
      // Cast: the body has the form of OTLP.
      for (const { resource, scopeSpans } of (body as Received).resourceSpans)
        for (const span of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...span, service: String(valueOf(resource.attributes, 'service.name')) });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Cast: a server on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    paths,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
