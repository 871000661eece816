/** W3C Trace Context (https://www.w3.org/TR/trace-context/): the header `traceparent`. */
import type { SpanContext } from '@opentelemetry/api';

/** Version ff is forbidden, and ids of zeros are invalid. */
const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The value of a header; null if it is absent or invalid. */
export const readTraceparent = (header: unknown): string | null =>
  typeof header === 'string' && pattern.test(header) ? header : null;

/** The trace id of a valid traceparent. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** The context of a valid traceparent, as the parent of a span in this process. */
export function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = '00'] = pattern.exec(traceparent) ?? [];
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

export const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`;
