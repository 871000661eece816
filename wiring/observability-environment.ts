/** The environment variables of metrics and traces. */
import { integer, oneOf, readEnvironment, text, url } from '../platform/env.ts';
import type { TracingSettings } from '../platform/telemetry/open-tracing.ts';
import type { Source } from './environment.ts';

/** Names with OTEL_ are those of https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/. */
export const observabilityVariables = {
  METRICS_PORT: integer({
    description: 'port of /metrics of the roles all and rest; must not be reachable from outside; without it they have none',
    min: 0,
    max: 65_535,
  }),
  METRICS_HOST: text({ description: 'address that METRICS_PORT listens on', default: '127.0.0.1' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    description: 'OTLP receiver of traces over HTTP, such as http://127.0.0.1:4318; without it there are no traces',
    protocols: ['http:', 'https:'],
  }),
  OTEL_TRACES_SAMPLER: oneOf(
    ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
    { description: 'which requests are traced', default: 'parentbased_always_on' },
  ),
  OTEL_TRACES_SAMPLER_ARG: text({ description: 'share of traced requests with traceidratio, from 0 to 1', default: '1' }),
};

/** The settings of traces; null without a receiver. Throws Error for an invalid share. */
export function tracingSettings(source: Source, role: string): TracingSettings | null {
  const variables = readEnvironment(source, observabilityVariables);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = variables;
  if (endpoint === null) return null;
  const ratio = Number(variables.OTEL_TRACES_SAMPLER_ARG);
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  return { endpoint, serviceName: `talent-platform-${role}`, sampler: variables.OTEL_TRACES_SAMPLER, ratio };
}
