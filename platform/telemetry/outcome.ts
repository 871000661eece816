/** The outcome of a call between processes, whose HTTP status is 200 also when it reports an error. */
import { errors as table, isErrorCode } from '../../schema/errors.ts';
import { noteRequest } from './request-scope.ts';

interface ReportedError {
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

const codeOf = ({ extensions }: ReportedError): string => {
  const code = extensions?.['code'];
  return isErrorCode(code) ? code : 'internal';
};

/** The HTTP status of an error code; 500 for a code that is none. */
export const statusOf = (code: string): number => (isErrorCode(code) ? table[code].status : 500);

/** Whether the platform failed, in contrast to its caller. */
export const isFailure = (error: ReportedError): boolean => statusOf(codeOf(error)) >= 500;

/** The code by which a response with these errors counts: a failure of the platform, or else the first error; undefined without one. */
export function outcomeOf(errors: readonly ReportedError[] = []): string | undefined {
  const decisive = errors.find(isFailure) ?? errors[0];
  return decisive && codeOf(decisive);
}

/** Adds the outcome to the log line of the current request. */
export function noteOutcome(errors: readonly ReportedError[] | undefined): void {
  const code = outcomeOf(errors);
  if (code !== undefined) noteRequest({ code, status: statusOf(code) });
}
