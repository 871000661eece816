/** A statement as a span, and its failure as the cause of a failed request: by its name, never with its values. */
import { Problem, errors } from '../../schema/errors.ts';
import { errorCode } from '../error-code.ts';
import { noteCause, requestScope } from '../telemetry/request-scope.ts';
import { withSpan } from '../telemetry/tracing.ts';

/** The name in the leading comment, such as `athletes.byIds`; the first word of a statement without one. */
const nameOf = (text: string): string => /^\s*(?:\/\*\s*([\w.]+)|(\w+))/.exec(text)?.slice(1).find(Boolean) ?? 'statement';

/** Runs a statement in a span with the names of https://opentelemetry.io/docs/specs/semconv/db/postgresql/. */
export function observeStatement<Result>(database: string, text: string, run: () => Promise<Result>): Promise<Result> {
  if (!requestScope()?.span) return run();
  const name = nameOf(text);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name, 'db.client.connection.pool.name': database };
  return withSpan({ name, kind: 'CLIENT', attributes }, run);
}

/** Adds the error of PostgreSQL or of its connection to the log line of the request, unless the caller caused it. */
export function noteDatabaseError(error: unknown, translated: unknown, text: string): void {
  if (translated instanceof Problem && errors[translated.code].status < 500) return;
  const code = errorCode(error) ?? (error instanceof Error ? error.message : 'unknown error');
  noteCause(`PostgreSQL: ${code} in ${nameOf(text)}`);
}
