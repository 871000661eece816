/** Sends the spans of this process to an OTLP receiver. Processes without traces do not load the SDK. */
import type { Attributes, Context } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { release } from '../release.ts';
import type { Closeable } from '../stop-gracefully.ts';
import { spanContextOf } from './trace-context.ts';
import { useTracer, type Tracer } from './tracing.ts';

const samplerNames = ['always_on', 'always_off', 'traceidratio'] as const;
type SamplerName = (typeof samplerNames)[number];

export interface TracingSettings {
  /** The receiver, to whose address the SDK adds `v1/traces`. */
  readonly endpoint: string;
  /** `service.name`, unless OTEL_SERVICE_NAME names another one. */
  readonly serviceName: string;
  readonly sampler: SamplerName | `parentbased_${SamplerName}`;
  /** Share of traced requests for `traceidratio`, 0 to 1. */
  readonly ratio: number;
}

/** The SDK reads headers, certificates and time limits of the receiver from OTEL_EXPORTER_OTLP_*, and resource attributes from OTEL_RESOURCE_ATTRIBUTES. */
export async function openTracing({ endpoint, serviceName, sampler, ratio }: TracingSettings, log: Logger): Promise<Closeable> {
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const warn = (message: string): void => log.warn({ reason: message }, 'traces not sent');
  const ignore = (): void => undefined;
  api.diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, api.DiagLogLevel.WARN);

  const roots: Record<SamplerName, () => Sampler> = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  };
  const name = samplerNames.find((each) => sampler.endsWith(each)) ?? 'always_on';
  const root = roots[name]();
  const attributes: Attributes = { 'service.name': serviceName, 'service.version': release };
  const provider = new sdk.TracerProvider({
    sampler: sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root,
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes(attributes))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }) }),
    ],
  });
  const tracer = provider.getTracer('talent-platform', release);

  function contextOf(parent: Parameters<Tracer['start']>[2]): Context {
    if (parent === null) return api.ROOT_CONTEXT;
    return typeof parent === 'string'
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, spanContextOf(parent))
      : api.trace.setSpan(api.ROOT_CONTEXT, parent);
  }
  useTracer({
    start: (span, kind, parent, given) =>
      tracer.startSpan(span, { kind: api.SpanKind[kind], attributes: given }, contextOf(parent)),
    fail: (span) => void span.setStatus({ code: api.SpanStatusCode.ERROR }),
  });
  return {
    name: 'traces',
    async close() {
      useTracer(null);
      await provider.shutdown();
    },
  };
}
