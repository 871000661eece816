/** The accounts area on a separate database with its own role, and the admission of routers over the same database. */
import { openDatabase, type Database } from '../../../platform/database/database.ts';
import { createLog } from '../../../platform/log.ts';
import { createCursorCodec } from '../../../platform/lists/cursor.ts';
import { areaRole, routerRole } from '../../../platform/database/roles.ts';
import { createAdmission, type Admission, type Admitted } from '../../../router/admission/admission.ts';
import { SYSTEM, type Viewer } from '../../../schema/viewer.ts';
import { accounts } from '../../../subgraphs/accounts/subgraph.ts';
import { buildSubgraph } from '../../../subgraphs/runtime/subgraph.ts';
import { cloneDatabase } from '../../database.ts';

/** The fields that the documents of these tests select, under any root field. */
export interface Selected {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly version: number;
  readonly nodes: readonly Selected[];
  readonly pageInfo: { readonly nextCursor: string | null };
  readonly day: { readonly startsOn: string; readonly resetAt: string };
  readonly month: { readonly startsOn: string; readonly resetAt: string };
  readonly status: string;
  readonly expiresAt: string | null;
  readonly rotatedTo: Selected | null;
  readonly nextPlan: object | null;
  readonly account: Selected;
  readonly contracts: readonly Selected[];
  readonly keys: Selected;
}

type Root =
  | 'accounts'
  | 'apiKeys'
  | 'plans'
  | 'plan'
  | 'planVersions'
  | 'me'
  | 'usage'
  | 'account'
  | 'apiKey'
  | 'updateAccount'
  | 'suspendAccount'
  | 'closeAccount'
  | 'setContract'
  | 'updateApiKey'
  | 'moveApiKey'
  | 'disableApiKey'
  | 'enableApiKey'
  | 'revokeApiKey'
  | 'createPlan'
  | 'changePlan';

export interface Issued {
  readonly key: string;
  readonly apiKey: Pick<Selected, 'id' | 'version' | 'expiresAt'> & { readonly publicId: string };
}

export interface Response {
  readonly data: Readonly<Record<Root, Selected>> & { readonly issueApiKey: Issued; readonly rotateApiKey: Issued };
  readonly codes: readonly unknown[];
  readonly violations: readonly { pointer?: string; code: string }[];
}

const noGraph = () => Promise.reject(new Error('The accounts area calls no other area.'));

export async function openTestArea() {
  const cloned = await cloneDatabase();
  const { secrets } = cloned;
  const owner = openDatabase({ url: cloned.ownerUrl, name: 'test-owner', poolSize: 2 });
  const database = openDatabase({ url: cloned.urlAs(areaRole('accounts')), name: 'test-accounts' });
  const router: Database = openDatabase({ url: cloned.urlAs(routerRole), name: 'test-router', poolSize: 2 });
  const area = await buildSubgraph(accounts, {
    database,
    secrets,
    log: createLog({ name: 'test', level: 'trace', destination: { write: (line) => void lines.push(line) } }),
    cursors: createCursorCodec(secrets.derive('cursor')),
    wake: () => undefined,
    graphAs: () => noGraph,
  });
  const lines: string[] = [];
  const admissions: Admission[] = [];
  /** A router with empty caches. */
  function openRouter() {
    const admission = createAdmission({ database: router, secrets, log: { error: () => undefined } });
    admissions.push(admission);
    const admit = (key: string) =>
      admission.admit({ credentials: [key], address: '203.0.113.7', host: 'localhost', requestId: 'test', traceparent: null });
    return {
      admit,
      /** Admits one request with a key. Throws the problem of a rejection. */
      async admitted(key: string): Promise<Admitted> {
        const result = await admit(key);
        if (result.kind === 'REJECTED') throw result.problem;
        return result;
      },
      /** The result of one request with a key: `admitted`, or the error code. */
      async codeOf(key: string): Promise<string> {
        const result = await admit(key);
        return result.kind === 'ADMITTED' ? 'admitted' : result.problem.code;
      },
    };
  }

  async function send(query: string, variables: Record<string, unknown> = {}, viewer: Viewer = SYSTEM): Promise<Response> {
    const response = await area.query({ query, variables, operationName: null, viewer, requestId: 'test', signal: undefined });
    const extensions = (response.errors ?? []).map((error) => error.extensions ?? { code: error.message });
    return {
      // cast: the documents select the fields
      data: response.data as Response['data'],
      codes: extensions.map(({ code }) => code),
      violations: extensions.flatMap((extension) => ('errors' in extension ? (extension.errors as Response['violations']) : [])),
    };
  }

  return {
    owner,
    ownerUrl: cloned.ownerUrl,
    run: send,
    /** The area's log lines. */
    logged: (): readonly string[] => lines,
    /** Issues a key; throws the code of an error. */
    async issue(input: Record<string, unknown>): Promise<Issued> {
      const { data, codes } = await send(
        `mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id publicId version } } }`,
        { input: { accountName: 'Acme FC', plan: 'pro', ...input } },
      );
      if (codes.length > 0) throw new Error(codes.join());
      return data.issueApiKey;
    },
    ...openRouter(),
    router: openRouter,
    /** Runs the catch-up steps of the relay. */
    async catchUp() {
      for (const { catchUp } of area.consumers) while (await catchUp?.(noGraph, () => Promise.resolve(0)));
    },
    async close() {
      for (const admission of admissions) await admission.close();
      await area.close();
      await router.close();
      await owner.close();
      await cloned.drop();
    },
  };
}

export type TestArea = Awaited<ReturnType<typeof openTestArea>>;
