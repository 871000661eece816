/** The error of a response as the request log has it: its code and the places that it names, without values. */
import type { GraphError } from './entry-point.ts';

export interface ReportedError {
  readonly code: string;
  /** JSON pointers into the body and names of parameters. */
  readonly pointers: readonly string[];
}

const none: readonly string[] = Object.freeze([]);

/** The reported error of a problem, or of the first error of a response; null without one. */
export function reportedError(error: Pick<GraphError, 'extensions'>): ReportedError;
export function reportedError(error: Pick<GraphError, 'extensions'> | undefined): ReportedError | null;
export function reportedError(error: Pick<GraphError, 'extensions'> | undefined): ReportedError | null {
  if (error === undefined) return null;
  const { code, errors } = error.extensions;
  return { code, pointers: errors?.flatMap(({ pointer, parameter }) => pointer ?? parameter ?? []) ?? none };
}
