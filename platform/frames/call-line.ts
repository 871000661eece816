/** One log line per framed call, with its real outcome. */
import type { Logger } from 'pino';
import { isErrorCode } from '../../schema/errors.ts';
import { recordCall } from '../telemetry/metrics.ts';
import { statusOf } from '../telemetry/outcome.ts';
import { loggedFacts, type RequestScope } from '../telemetry/request-scope.ts';

export interface CallLine {
  /** The handler adds the facts of the line. */
  readonly scope: RequestScope;
  write(): void;
}

export function openCallLine(log: Pick<Logger, 'info' | 'error'>): CallLine {
  const startedMs = performance.now();
  const scope: RequestScope = { facts: {}, traceparent: null, span: null };
  return {
    scope,
    write() {
      const { isMinor } = scope.facts;
      const facts = loggedFacts(scope.facts);
      const { code } = facts;
      const status = facts.status ?? (code === undefined ? 200 : statusOf(code));
      if (isMinor === true && status < 400) return;
      const durationMs = performance.now() - startedMs;
      recordCall({ outcome: isErrorCode(code) ? code : status < 400 ? 'ok' : 'internal' }, durationMs);
      const line = { ...facts, status, durationMs: Math.round(durationMs * 100) / 100 };
      log[status >= 500 ? 'error' : 'info'](line, 'call');
    },
  };
}
