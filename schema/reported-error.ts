/** The error of a response as the request log has it: its code and the places that it names, without values. */
import { isRecord } from './records.ts';

export interface ReportedError {
  readonly code: string;
  /** JSON pointers into the body and names of parameters. */
  readonly pointers: readonly string[];
}

/** A problem, or an error of a response. */
interface Reportable {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

function placeOf(violation: unknown): string | readonly string[] {
  if (!isRecord(violation)) return [];
  const place = violation['pointer'] ?? violation['parameter'];
  return typeof place === 'string' ? place : [];
}

/** The reported error of a problem, or of the first error of a response; null without one. */
export function reportedError(error: Reportable): ReportedError;
export function reportedError(error: Reportable | undefined): ReportedError | null;
export function reportedError(error: Reportable | undefined): ReportedError | null {
  if (error === undefined) return null;
  const { code, errors } = error.extensions ?? {};
  return { code: typeof code === 'string' ? code : 'internal', pointers: Array.isArray(errors) ? errors.flatMap(placeOf) : [] };
}
