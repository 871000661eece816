/** The accounts area on a database of its own, as its own role, and the admission of a router over the same database. */
import { openDatabase, type Database } from '../../platform/database.ts';
import { createLog } from '../../platform/log.ts';
import { createCursorCodec } from '../../platform/cursor.ts';
import { areaRole, routerRole } from '../../platform/roles.ts';
import { createAdmission } from '../../router/admission/admit.ts';
import { SYSTEM, type Viewer } from '../../schema/viewer.ts';
import { accounts } from '../../subgraphs/accounts/subgraph.ts';
import { buildSubgraph } from '../../subgraphs/subgraph.ts';
import { cloneDatabase } from '../database.ts';

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
}

type Root =
  | 'accounts'
  | 'apiKeys'
  | 'plans'
  | 'plan'
  | 'planVersions'
  | 'me'
  | 'usage'
  | 'updateApiKey'
  | 'disableApiKey'
  | 'enableApiKey'
  | 'revokeApiKey'
  | 'createPlan'
  | 'changePlan';

export interface Issued {
  readonly key: string;
  readonly apiKey: { readonly id: string; readonly publicId: string; readonly version: number };
}

export interface Answer {
  readonly data: Readonly<Record<Root, Shown>> & { readonly issueApiKey: Issued };
  readonly codes: readonly unknown[];
  readonly faults: readonly { pointer?: string; code: string }[];
}

export async function createWorld() {
  const cloned = await cloneDatabase();
  const { secrets } = cloned;
  const owner = openDatabase({ url: cloned.ownerUrl, name: 'test-owner', poolSize: 2 });
  const database = openDatabase({ url: cloned.urlAs(areaRole('accounts')), name: 'test-accounts' });
  const router: Database = openDatabase({ url: cloned.urlAs(routerRole), name: 'test-router', poolSize: 2 });
  const area = await buildSubgraph(accounts, {
    database,
    secrets,
    log: createLog({ name: 'test', level: 'error' }),
    cursors: createCursorCodec(secrets.derive('cursor')),
    wake: () => undefined,
    graphAs: () => () => Promise.reject(new Error('The accounts area asks no other.')),
  });
  const admission = createAdmission({ database: router, secrets, log: { error: () => undefined } });

  async function ask(query: string, variables: Record<string, unknown> = {}, viewer: Viewer = SYSTEM): Promise<Answer> {
    const answer = await area.query({ query, variables, operationName: null, viewer, requestId: 'test', signal: undefined });
    const extensions = (answer.errors ?? []).map((error) => error.extensions ?? { code: error.message });
    return {
      // the documents say what is in it
      data: answer.data as Answer['data'],
      codes: extensions.map(({ code }) => code),
      faults: extensions.flatMap((extension) => ('errors' in extension ? (extension.errors as Answer['faults']) : [])),
    };
  }

  return {
    owner,
    ownerUrl: cloned.ownerUrl,
    ask,
    /** Issues a key; throws what refused it. */
    async issue(input: Record<string, unknown>): Promise<Issued> {
      const { data, codes } = await ask(
        `mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id publicId version } } }`,
        { input: { accountName: 'Acme FC', plan: 'pro', ...input } },
      );
      if (codes.length > 0) throw new Error(codes.join());
      return data.issueApiKey;
    },
    /** One request with a key through a router's admission. */
    admit: (key: string) =>
      admission.admit({ credentials: [key], address: '203.0.113.7', host: 'localhost', requestId: 'test', traceparent: null }),
    async close() {
      await admission.close();
      await area.close();
      await router.close();
      await owner.close();
      await cloned.drop();
    },
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;
