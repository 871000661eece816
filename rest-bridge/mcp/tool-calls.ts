/** Executes tools: each call is one REST read with the same validation, admission, charge and response. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { problemBody, toProblem } from '../../platform/http/problem.ts';
import type { Caller, EntryPoint, OperationResponse } from '../../schema/entry-point.ts';
import { errors, Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import { reportedError } from '../../schema/reported-error.ts';
import type { Sport } from '../../schema/sports.ts';
import { joinedMembers } from '../operations/joined-members.ts';
import type { Operation } from '../operations/operation.ts';
import type { BodyLimits } from '../requests/body-limits.ts';
import { otherSport } from '../requests/other-sport.ts';
import { createRequestReader, type RawRequest, type ReadRequest } from '../requests/request-reader.ts';
import type { Validators } from '../requests/validators.ts';
import { problemOf } from '../responses/execution-problem.ts';
import { buildResponse } from '../responses/response.ts';
import { movedRequest, toolRequest } from './tool-request.ts';

export interface ToolCallOptions {
  readonly entryPoint: EntryPoint;
  readonly operations: readonly Operation[];
  readonly validatorsOf: (operation: Operation) => Validators;
  readonly limitsOf: (operation: Operation) => BodyLimits;
  readonly sportOf: (host: string) => Sport | null;
  /** Reports an error that is no problem of the caller. */
  readonly onError: (error: unknown, operation: string) => void;
}

export interface ToolOutcome {
  readonly result: CallToolResult;
  /** The problem of an unsuccessful call. */
  readonly problem: Problem | null;
  /** Rate limit headers, and Retry-After of a rejection. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls a tool. Never rejects. `signal` is aborted when the client disconnects. */
export type CallTool = (caller: Caller, given: unknown, signal: AbortSignal) => Promise<ToolOutcome>;

/** The members of a problem, also as text for models that read nothing else. */
function failure(problem: Problem, { url }: Pick<RawRequest, 'url'>, requestId: string): CallToolResult {
  const body = problemBody(problem, { instance: url.replace(/\?.*$/s, ''), requestId });
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body, isError: true };
}

/** Creates the function that calls the tool of an operation. */
export function createToolCalls(options: ToolCallOptions): (operation: Operation) => CallTool {
  const { entryPoint, operations, validatorsOf, limitsOf, sportOf, onError } = options;

  return (operation) => {
    const joined = joinedMembers(operation, operations);
    const readRequest = createRequestReader(operation, validatorsOf(operation), limitsOf(operation).values, joined);

    function read(raw: RawRequest, host: string): ReadRequest | Problem {
      const sport = sportOf(host);
      const request = orProblem(() => readRequest(raw));
      return sport === null || request instanceof Problem ? request : (otherSport(operation, request, sport) ?? request);
    }

    function orProblem<Value>(compute: () => Value): Value | Problem {
      try {
        return compute();
      } catch (error) {
        if (!(error instanceof Problem)) onError(error, operation.name);
        return toProblem(error);
      }
    }

    /** An invalid request is admitted and charged as over REST, and not executed. */
    const execute = (caller: Caller, request: ReadRequest | Problem, signal: AbortSignal): Promise<OperationResponse> =>
      entryPoint.execute(
        request instanceof Problem
          ? { caller, operation: operation.name, input: null, signal }
          : {
              caller,
              operation: request.documentId,
              input: { document: request.documentId, variables: request.variables },
              signal,
            },
      );

    async function call(caller: Caller, raw: RawRequest | Problem, signal: AbortSignal, hasMoved = false): Promise<ToolOutcome> {
      const request = raw instanceof Problem ? raw : read(raw, caller.host);
      const response = await execute(caller, request, signal);
      const { headers, notes } = response;
      const at = raw instanceof Problem ? { url: operation.path } : raw;
      const fail = (problem: Problem): ToolOutcome => {
        response.settle({ status: errors[problem.code].status, error: reportedError(problem) });
        return { result: failure(problem, at, caller.requestId), problem, headers };
      };
      if (request instanceof Problem) return fail(response.errors.length > 0 ? problemOf(response.errors, null) : request);
      const built = orProblem(() =>
        buildResponse(operation, request, response, { url: at.url, base: '', ifMatch: undefined, collection: null }),
      );
      if (built instanceof Problem) return fail(built);
      response.settle({ status: built.status });
      // a client of REST follows the redirect, and is charged for both requests
      if (built.status === 308 && notes.moved !== undefined && !(raw instanceof Problem) && !hasMoved)
        return call(caller, movedRequest(raw, notes.moved), signal, true);
      if (built.body === null) return fail(new Problem('not_found', 'There is no resource at this path.'));
      const structuredContent: unknown = JSON.parse(built.body);
      const result: CallToolResult = { content: [{ type: 'text', text: built.body }] };
      return { result: isRecord(structuredContent) ? { ...result, structuredContent } : result, problem: null, headers };
    }

    return (caller, given, signal) =>
      call(
        caller,
        orProblem(() => toolRequest(operation, given)),
        signal,
      ).catch((error: unknown) => {
        onError(error, operation.name);
        const problem = toProblem(error);
        return { result: failure(problem, { url: operation.path }, caller.requestId), problem, headers: {} };
      });
  };
}
