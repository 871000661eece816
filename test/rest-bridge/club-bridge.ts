/** A bridge over a small in-memory graph, executed by graphql-js, without keys and quotas. */
import { operations, schema } from './club-api.ts';
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { execute, parse } from 'graphql';
import type { Caller, EntryPoint, EventStreams, OperationResponse, ResponseNotes } from '../../schema/entry-point.ts';
import { addClientAddress } from '../../platform/http/client-address.ts';
import { Problem } from '../../schema/errors.ts';
import { createBridge } from '../../rest-bridge/bridge.ts';
import type { BridgeOptions } from '../../rest-bridge/bridge.ts';
import { documentsOf } from '../../rest-bridge/operations/load-operations.ts';

interface Club {
  id: string;
  version: number;
  name: string;
  country: string;
  kind: string | null;
  founded: number | null;
  status: string;
}

/** A running bridge, and the requests that reached its entry point. */
export interface ClubBridge {
  readonly app: FastifyInstance;
  readonly clubs: Club[];
  readonly requested: {
    operation: string | null;
    admitOnly: boolean;
    variables: Readonly<Record<string, unknown>>;
    caller: Caller;
  }[];
  readonly settled: number[];
  /** The notes of the next responses. */
  notes: ResponseNotes;
  /** An error of the `players` field; the rest of a club is still returned. */
  playersViolation: Problem | Error | null;
  create(name: string): Club;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openClubBridge(options: Partial<BridgeOptions> = {}): Promise<ClubBridge> {
  const documents = new Map([...documentsOf(options.operations ?? operations)].map(([id, text]) => [id, parse(text())]));
  const app = Fastify();
  addClientAddress(app, []);
  const platform: ClubBridge = {
    app,
    clubs: [],
    requested: [],
    settled: [],
    notes: {},
    playersViolation: null,
    create(name) {
      const club = { id: randomUUID(), version: 1, name, country: 'DE', kind: null, founded: null, status: 'ACTIVE' };
      platform.clubs.push(club);
      return club;
    },
    [Symbol.asyncDispose]: () => app.close(),
  };

  const entryPoint: EntryPoint = {
    async execute({ operation: id, input, caller }) {
      const call = { operation: id, admitOnly: true, variables: {}, caller };
      platform.requested.push(call);
      const response = (rest: Partial<OperationResponse>): OperationResponse => ({
        data: null,
        errors: [],
        headers: { ratelimit: '"day";r=9;t=1' },
        authenticated: caller.credentials.length > 0,
        notes: platform.notes,
        settle: ({ status }) => void platform.settled.push(status),
        ...rest,
      });
      if (caller.credentials.includes('wrong')) {
        return response({
          headers: { 'www-authenticate': 'Bearer' },
          errors: [{ message: 'Unknown key.', extensions: { code: 'api_key_invalid' } }],
        });
      }
      const ready = typeof input === 'function' ? await input() : input;
      if (ready === null) return response({});
      const { document: operation, variables } = ready;
      Object.assign(call, { operation, admitOnly: false, variables });
      const document = documents.get(operation);
      if (!document) throw new Error(`No document ${operation}`);
      const result = await execute({ schema, document, rootValue: resolvers(platform), variableValues: variables });
      return response({
        data: result.data ?? null,
        errors: (result.errors ?? []).map(({ message, path, extensions }) => ({
          message,
          ...(path ? { path } : {}),
          extensions: { code: 'unexpected', ...extensions },
        })),
      });
    },
  };
  const eventStreams: EventStreams = {
    open: () => Promise.reject(new Error('The small API has no streams.')),
    close: () => undefined,
  };
  await app.register(
    createBridge({ entryPoint, eventStreams, apiSchema: schema, operations, publicUrl: 'https://api.example.com', ...options }),
  );
  return platform;
}

type Input = Partial<Pick<Club, 'name' | 'country' | 'kind' | 'founded'>>;

function resolvers(platform: ClubBridge) {
  const find = (id: string): Club => {
    const club = platform.clubs.find((candidate) => candidate.id === id);
    if (!club) throw new Problem('not_found', 'Unknown club.');
    return club;
  };
  const toOutput = (club: Club) => ({
    ...club,
    players: () => {
      if (platform.playersViolation) throw platform.playersViolation;
      return [];
    },
  });
  return {
    clubs: ({ first, after, sort }: { first: number; after?: string; sort: string }) => {
      const start = after === undefined ? 0 : Number(after);
      if (Number.isNaN(start))
        throw new Problem('cursor_invalid', 'Invalid cursor.', {
          errors: [{ parameter: 'after', code: 'cursor_invalid', detail: 'is not a cursor of this list' }],
        });
      const sorted = sort === 'NAME_ASC' ? platform.clubs.toSorted((a, b) => a.name.localeCompare(b.name)) : platform.clubs;
      const hasMore = start + first < sorted.length;
      return {
        nodes: sorted.slice(start, start + first).map(toOutput),
        pageInfo: { hasMore, nextCursor: hasMore ? String(start + first) : null },
      };
    },
    club: ({ id }: { id: string }) => {
      const club = platform.clubs.find((candidate) => candidate.id === id);
      return club ? toOutput(club) : null;
    },
    createClub: ({ input }: { input: Input }) => Object.assign(platform.create(input.name ?? ''), input),
    updateClub: ({ id, input, ifMatch }: { id: string; input: Input; ifMatch: string }) => {
      const club = find(id);
      if (ifMatch !== '*' && !ifMatch.startsWith(`"${club.version}`))
        throw new Problem('precondition_failed', 'Another version.', { version: club.version });
      return Object.assign(club, input, { version: club.version + 1 });
    },
    closeClub: ({ id }: { id: string }) => {
      const club = find(id);
      if (club.status === 'CLOSED') throw new Problem('invalid_transition', 'The club is closed.', { allowedTransitions: [] });
      return Object.assign(club, { status: 'CLOSED', version: club.version + 1 });
    },
    upsertClubs: ({ items }: { items: Input[] }) => ({
      data: items.map((item, index) => {
        const { id, version } = platform.create(item.name ?? '');
        return { index, outcome: 'CREATED', id, version, error: null };
      }),
      summary: { created: items.length, updated: 0, unchanged: 0, failed: 0 },
    }),
  };
}
