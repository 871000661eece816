/** A whole platform on a database of its own, in one process or in separate ones, and the people who use it. */
import type { Role } from '../schema/roles.ts';
import type { Scope } from '../schema/scopes.ts';
import type { AdministratorClient, AdministratorWithPassword } from './administrator.ts';
import type { Client } from './client.ts';
import type { ClonedDatabase } from './database.ts';
import type { openTestPlatform as open } from './open-test-platform.ts';
import { outside } from './outside.ts';

export const wirings = ['one process', 'separate processes'] as const;
export type Wiring = (typeof wirings)[number];

export interface KeyRequest {
  readonly account?: string;
  readonly scopes?: readonly Scope[];
  readonly plan?: string;
}

export interface TestPlatform {
  readonly database: ClonedDatabase;
  readonly restUrl: string;
  readonly graphqlUrl: string;
  /** Where the first router listens to other processes; null in one process. */
  readonly internalUrl: string | null;
  /** Where each router serves GraphQL; `graphqlUrl` is the first. */
  readonly routerUrls: readonly string[];
  /** Names of the statements that areas ran since the last call (one process only). */
  statements(): string[];
  /** An account with a key; without scopes it may do everything that is not an administrator's to grant. */
  account(request?: KeyRequest): Promise<Client & { readonly key: string }>;
  /** Somebody who administers and is signed in; an owner when no role is given. */
  administrator(role?: Role): Promise<AdministratorClient>;
  /** The same with a password, by an invitation through the door. */
  administratorWithPassword(role?: Role): Promise<AdministratorWithPassword>;
  /** Somebody without a key. */
  readonly anonymous: Client;
  /** Makes a plan with the limits a test needs. */
  plan(code: string, limits: { burstPerMinute: number; perDay: number; perMonth: number }, writes?: boolean): Promise<void>;
  /** Runs a document of the admin schema as the system. */
  administer(document: string, variables?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Waits until projections have seen every event. */
  settled(): Promise<void>;
  /** Does what the relay does every few seconds and every hour (one process only). */
  upkeep(): Promise<void>;
  /** Brings what was answered so far into the rollups (one process only). */
  metered(): Promise<void>;
  /** URLs of further routers, in separate processes. */
  readonly processes: {
    readonly url: (name: string) => string;
    readonly pids: ReadonlyMap<string, number>;
    stop(name: string, signal?: NodeJS.Signals): Promise<void>;
    start(name: string): Promise<void>;
  } | null;
  close(): Promise<void>;
}

/** Opens a world; close it at the end of the file. `routers` counts for separate processes only, new operations and the OpenID provider for one. */
export async function openTestPlatform(...asked: Parameters<typeof open>): Promise<TestPlatform> {
  const outer = await outside<{ openTestPlatform: typeof open }>('test/open-test-platform.ts');
  return outer.openTestPlatform(...asked);
}
