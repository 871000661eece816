/** One request and its answer: what reaches the door, and what becomes of what the door says. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../platform/http/caller.ts';
import { sendProblem, toProblem } from '../platform/http/problem.ts';
import type { EntryPoint, OperationResponse, OperationRequest } from '../schema/entry-point.ts';
import { errors, Problem } from '../schema/errors.ts';
import { exposed } from './cors.ts';
import { problemOf } from './failure.ts';
import { unsupportedBody } from './media-type.ts';
import type { Operation } from './operation.ts';
import { collectionsOf, present } from './present.ts';
import type { Presented } from './present.ts';
import { createReader } from './read-request.ts';
import type { ReadRequest } from './read-request.ts';
import type { Checks } from './validate.ts';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

export interface Exchange {
  /** The hook of an operation that may have a body: who may not run it, or has spent his quota, is answered before the body is read. */
  readonly admit: (operation: Operation) => Hook;
  /** The handler of an operation. */
  readonly serve: (operation: Operation) => Handler;
  /** Answers with a problem of the bridge, admitted and charged first; a refusal of admission is told instead. */
  readonly refuse: (
    request: FastifyRequest,
    reply: FastifyReply,
    problem: Problem,
    operation?: string | null,
  ) => Promise<FastifyReply>;
}

export interface ExchangeOptions {
  readonly door: EntryPoint;
  readonly operations: readonly Operation[];
  readonly checksOf: (operation: Operation) => Checks;
  readonly publicUrl?: string | null | undefined;
}

export function createExchange({ door, operations, checksOf, publicUrl }: ExchangeOptions): Exchange {
  const collectionOf = collectionsOf(operations);
  // The Host header is the caller's word: a cache would hand it on to others. A relative link is one as well (RFC 8288 section 3.1).
  const base = publicUrl?.replace(/\/$/, '') ?? '';

  /** What the door said of requests that were admitted without being run. */
  const admissions = new WeakMap<FastifyRequest, OperationResponse>();

  /** The door's answer; a door that fails answers with that. */
  async function ask(request: FastifyRequest, asked: Omit<OperationRequest, 'caller'>): Promise<OperationResponse> {
    const { operation } = asked;
    try {
      return await door.execute({ ...asked, caller: callerOf(request) });
    } catch (violation) {
      request.log.error({ err: violation, operation }, 'The router failed');
      const { code, message } = toProblem(violation);
      const failed = [{ message, extensions: { code } }];
      return { data: null, errors: failed, headers: {}, keyed: false, notes: {}, settle: () => undefined };
    }
  }

  /** Admits and charges a request once, without running anything. */
  async function admit(request: FastifyRequest, operation: string | null): Promise<OperationResponse> {
    const known = admissions.get(request);
    if (known) return known;
    const answer = await ask(request, { operation, variables: {}, refused: true });
    admissions.set(request, answer);
    return answer;
  }

  const refuse: Exchange['refuse'] = async (request, reply, problem, operation = null) => {
    const admitted = await admit(request, operation);
    const final = admitted.errors.length > 0 ? problemOf(admitted.errors, null) : problem;
    admitted.settle({ status: errors[final.code].status });
    return sendProblem(reply.headers(admitted.headers).headers(exposed), final);
  };

  /** A batch of which no item can be sent is charged like a refusal, and answers all the same. */
  async function askFor(request: FastifyRequest, operation: Operation, read: ReadRequest): Promise<OperationResponse> {
    const asked = { operation: read.documentId, variables: read.variables };
    const before = admissions.get(request);
    if (before === undefined) return ask(request, asked);
    if (read.batch?.items.length === 0) return { ...before, data: { [operation.rootName]: { data: [] } } };
    const answer = await ask(request, { ...asked, admitted: true });
    return {
      ...answer,
      headers: { ...before.headers, ...answer.headers },
      settle(outcome) {
        before.settle(outcome);
        answer.settle(outcome);
      },
    };
  }

  function presentOrProblem(
    request: FastifyRequest,
    operation: Operation,
    read: ReadRequest,
    answer: OperationResponse,
  ): Presented | Problem {
    const { 'if-none-match': ifNoneMatch, 'if-match': ifMatch } = request.headers;
    try {
      return present(operation, read, answer, {
        url: request.url,
        base,
        ifNoneMatch,
        ifMatch,
        collection: collectionOf(operation, request.url),
      });
    } catch (violation) {
      if (!(violation instanceof Problem))
        request.log.error({ err: violation, operation: operation.name }, 'The answer could not be presented');
      return toProblem(violation);
    }
  }

  return {
    refuse,
    admit: (operation) => async (request, reply) => {
      const admission = await admit(request, operation.name);
      if (admission.errors.length === 0) return undefined;
      return refuse(request, reply, problemOf(admission.errors, null));
    },
    serve(operation) {
      const read = createReader(operation, checksOf(operation));
      return async (request, reply) => {
        const asked = readOrProblem(read, operation, request);
        if (asked instanceof Problem) return refuse(request, reply, asked, operation.name);
        const answer = await askFor(request, operation, asked);
        const told = presentOrProblem(request, operation, asked, answer);
        reply.headers(answer.headers).headers(exposed);
        answer.settle({ status: told instanceof Problem ? errors[told.code].status : told.status });
        if (told instanceof Problem) return sendProblem(reply, told);
        return reply
          .code(told.status)
          .headers(withLinks(told.headers, reply))
          .send(told.body ?? undefined);
      };
    },
  };
}

function readOrProblem(
  read: ReturnType<typeof createReader>,
  operation: Operation,
  request: FastifyRequest,
): ReadRequest | Problem {
  const { url, headers, body } = request;
  try {
    return (
      unsupportedBody(request, operation.method) ?? read({ url, params: request.params as Record<string, string>, headers, body })
    );
  } catch (violation) {
    if (violation instanceof Problem) return violation;
    throw violation;
  }
}

/** The headers of an answer, with the links that the version already set kept beside its own. */
function withLinks(headers: Presented['headers'], reply: FastifyReply): Presented['headers'] {
  const set = reply.getHeader('link');
  return typeof set === 'string' && headers['link'] !== undefined ? { ...headers, link: `${headers['link']}, ${set}` } : headers;
}
