/** A whole platform for tests, in one process or in separate processes, with clients for accounts and administrators. */
import type { OidcSettings } from '../router/administration/oidc.ts';
import type { BillingSettings, StripeSettings } from '../schema/billing.ts';
import type { Role } from '../schema/roles.ts';
import type { Scope } from '../schema/scopes.ts';
import type { StreamOptions } from '../wiring/router.ts';
import type { AdministratorClient, AdministratorWithPassword } from './administrator.ts';
import type { Client } from './client.ts';
import type { ClonedDatabase, TestCluster } from './database.ts';
import type { openTestPlatform as open } from './open-test-platform.ts';
import type { Instances } from '../commands/role-processes.ts';
import { outside } from './outside.ts';

export const wirings = ['one process', 'separate processes'] as const;
export type Wiring = (typeof wirings)[number];

export type StatementCause = 'requests' | 'projections';

export interface PlatformOptions {
  /**
   * Separate processes, database and caches, for a test file that injects faults, changes the schema, or exhausts
   * limits.
   */
  readonly isolated?: true;
  readonly wiring?: Wiring;
  /** Limits of the plan "free", which apply to requests without a key. */
  readonly freeLimits?: PlanLimits;
  /** Number of routers, with separate processes only. The other processes use the first one. */
  readonly routers?: number;
  /** Instances of each role, with separate processes only. */
  readonly instances?: Instances;
  readonly newOperationsPerMinute?: { readonly anonymous: number; readonly keyed: number };
  readonly oidc?: OidcSettings | null;
  /** The OpenID provider of the portal (one process only). */
  readonly portalOidc?: OidcSettings | null;
  /** Whether anyone can register in the portal (one process only). */
  readonly registration?: boolean;
  /** The PostgreSQL cluster; default: the one that all tests share. In one process only. */
  readonly cluster?: TestCluster;
  /** Source of the event loop delay; default: no load, because the tests run in the same thread and may block it for long (one process only). */
  readonly eventLoopDelayMs?: () => number;
  /** The operator on invoices; default: statements have no invoices (one process only). */
  readonly billing?: BillingSettings;
  /** The Stripe account that receives usage; default: none is sent. */
  readonly stripe?: StripeSettings;
  /** Further variables of .env, with separate processes only. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Limits of test mode; default: none for the time between two openings (one process only). */
  readonly sandboxes?: {
    readonly openMax?: number;
    readonly reopenMs?: number;
    readonly idleMs?: number;
    readonly sendMs?: number;
    readonly databasesMax?: number;
    readonly template?: string;
  };
  /** Whether webhooks may call this machine; default: true, because their receivers run here (one process only). */
  readonly allowLocalUrls?: boolean;
  /** Intervals and limits of event streams (one process only). */
  readonly streams?: StreamOptions;
}

export interface PlanLimits {
  readonly burstPerMinute: number;
  readonly perDay: number;
  readonly perMonth: number;
}

export interface KeyRequest {
  readonly account?: string;
  readonly scopes?: readonly Scope[];
  readonly plan?: string;
}

export interface TestPlatform {
  readonly database: ClonedDatabase;
  /** Folder of the store of uploaded images. */
  readonly imageFolder: string;
  readonly restUrl: string;
  readonly graphqlUrl: string;
  /** URL at which the first router serves other processes; null in one process. */
  readonly internalUrl: string | null;
  /** GraphQL URL of each router; `graphqlUrl` is the first. */
  readonly routerUrls: readonly string[];
  /** Returns the names of the SQL statements that areas ran for requests, or for projections, since the last call (one process only). */
  statements(cause?: StatementCause): string[];
  /** Creates an account with a key. Without `scopes` the key gets every scope that an account can grant itself. */
  account(request?: KeyRequest): Promise<Client & { readonly key: string }>;
  /** Creates a signed-in administrator; the default role is OWNER. */
  administrator(role?: Role): Promise<AdministratorClient>;
  /** Creates an administrator with a password, by accepting an invitation over HTTP. */
  administratorWithPassword(role?: Role): Promise<AdministratorWithPassword>;
  /** A client without a key. */
  readonly anonymous: Client;
  /** Creates a pricing plan. */
  plan(code: string, limits: PlanLimits, writes?: boolean, streams?: number): Promise<void>;
  /** Executes a document of the admin schema as the system. */
  administer(document: string, variables?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Waits until projections have consumed every event. */
  settled(): Promise<void>;
  /** Runs the periodic and hourly maintenance of the relay and of workers (one process only). */
  maintain(): Promise<void>;
  /** Flushes the usage of all settled requests into the rollups (one process only). */
  flushUsage(): Promise<void>;
  /** The processes by service name; null in one process. */
  readonly processes: {
    readonly url: (name: string) => string;
    readonly pids: ReadonlyMap<string, number>;
    stop(name: string, signal?: NodeJS.Signals): Promise<void>;
    start(name: string): Promise<void>;
  } | null;
  close(): Promise<void>;
}

/**
 * Opens a platform with an empty database; close it at the end of the test file. Without options the test files of a jest worker
 * share one platform, whose rows are restored for each file. With options the file gets its own.
 */
export async function openTestPlatform(options?: PlatformOptions): Promise<TestPlatform> {
  const outer = await outside<{ openTestPlatform: typeof open }>('test/open-test-platform.ts');
  return outer.openTestPlatform(options);
}
