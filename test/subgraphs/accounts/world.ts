/** The accounts area on a database of its own, as its own role, and the admission of a router over the same database. */
import { openDatabase, type Database } from '../../../platform/database/database.ts';
import { createLog } from '../../../platform/log.ts';
import { createCursorCodec } from '../../../platform/lists/cursor.ts';
import { areaRole, routerRole } from '../../../platform/database/roles.ts';
import { createAdmission, type Admission, type Admitted } from '../../../router/admission/admission.ts';
import { SYSTEM, type Viewer } from '../../../schema/viewer.ts';
import { accounts } from '../../../subgraphs/accounts/subgraph.ts';
import { buildSubgraph } from '../../../subgraphs/runtime/subgraph.ts';
import { cloneDatabase } from '../../database.ts';

/** What the documents of these tests ask for, whichever root it is under. */
export interface Shown {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly version: number;
  readonly nodes: readonly Shown[];
  readonly pageInfo: { readonly nextCursor: string | null };
  readonly day: { readonly startsOn: string; readonly resetAt: string };
  readonly month: { readonly startsOn: string; readonly resetAt: string };
  readonly status: string;
  readonly expiresAt: string | null;
  readonly rotatedTo: Shown | null;
  readonly nextPlan: object | null;
  readonly account: Shown;
  readonly contracts: readonly Shown[];
  readonly keys: Shown;
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
  readonly apiKey: Pick<Shown, 'id' | 'version' | 'expiresAt'> & { readonly publicId: string };
}

export interface Answer {
  readonly data: Readonly<Record<Root, Shown>> & { readonly issueApiKey: Issued; readonly rotateApiKey: Issued };
  readonly codes: readonly unknown[];
  readonly violations: readonly { pointer?: string; code: string }[];
}

const noGraph = () => Promise.reject(new Error('The accounts area asks no other.'));

export async function createWorld() {
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
  /** A router that knows nothing yet. */
  function openRouter() {
    const admission = createAdmission({ database: router, secrets, log: { error: () => undefined } });
    admissions.push(admission);
    const admit = (key: string) =>
      admission.admit({ credentials: [key], address: '203.0.113.7', host: 'localhost', requestId: 'test', traceparent: null });
    return {
      admit,
      /** One request with a key. Throws what refused it. */
      async admitted(key: string): Promise<Admitted> {
        const answer = await admit(key);
        if (answer.kind === 'REJECTED') throw answer.problem;
        return answer;
      },
      /** What became of one request with a key: `admitted`, or the code of the refusal. */
      async codeOf(key: string): Promise<string> {
        const answer = await admit(key);
        return answer.kind === 'ADMITTED' ? 'admitted' : answer.problem.code;
      },
    };
  }

  async function ask(query: string, variables: Record<string, unknown> = {}, viewer: Viewer = SYSTEM): Promise<Answer> {
    const answer = await area.query({ query, variables, operationName: null, viewer, requestId: 'test', signal: undefined });
    const extensions = (answer.errors ?? []).map((error) => error.extensions ?? { code: error.message });
    return {
      // the documents say what is in it
      data: answer.data as Answer['data'],
      codes: extensions.map(({ code }) => code),
      violations: extensions.flatMap((extension) => ('errors' in extension ? (extension.errors as Answer['violations']) : [])),
    };
  }

  return {
    owner,
    ownerUrl: cloned.ownerUrl,
    ask,
    /** Lines of the area's log. */
    logged: (): readonly string[] => lines,
    /** Issues a key; throws what refused it. */
    async issue(input: Record<string, unknown>): Promise<Issued> {
      const { data, codes } = await ask(
        `mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id publicId version } } }`,
        { input: { accountName: 'Acme FC', plan: 'pro', ...input } },
      );
      if (codes.length > 0) throw new Error(codes.join());
      return data.issueApiKey;
    },
    ...openRouter(),
    router: openRouter,
    /** Does what the relay does every few seconds. */
    async upkeep() {
      for (const { catchUp } of area.consumers) while (await catchUp?.(noGraph));
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

export type World = Awaited<ReturnType<typeof createWorld>>;
