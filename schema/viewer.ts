/** Who is asking: the only identity that areas see. It is made from the API key alone, by the router's admission. */
import { roles, type Role } from './roles.ts';
import type { Scope } from './scopes.ts';
import type { Sport } from './sports.ts';

export type ViewerKind = 'ANONYMOUS' | 'KEY' | 'ADMINISTRATOR' | 'SYSTEM';

/** Who administers, and from where: what the audit says. */
export interface AdministratorIdentity {
  readonly id: string;
  readonly role: Role;
  /** Address of the client. */
  readonly address: string;
  /** The session of this very request; absent for what the platform does on somebody's behalf. */
  readonly sessionId?: string;
}

export interface Viewer {
  readonly kind: ViewerKind;
  /** The account the key belongs to; null for anonymous readers, administrators and the system. */
  readonly accountId: string | null;
  /** Public id of the key (the part before the dot); null without a key. */
  readonly keyId: string | null;
  /** Code of the plan that counts: "free" for anonymous readers. */
  readonly plan: string;
  readonly scopes: readonly Scope[];
  /** Sport of the host (football.example.com), applied by the stores; null on the main host. */
  readonly sport: Sport | null;
  /** Whose session it is; absent for everybody else. */
  readonly administrator?: AdministratorIdentity;
}

/** The one anonymous viewer: an execution may be shared only if it runs with this very object. */
export const ANONYMOUS: Viewer = Object.freeze({
  kind: 'ANONYMOUS',
  accountId: null,
  keyId: null,
  plan: 'free',
  scopes: Object.freeze([]),
  sport: null,
});

/** The platform itself: projections and commands read and write as this viewer. */
export const SYSTEM: Viewer = Object.freeze({
  kind: 'SYSTEM',
  accountId: null,
  keyId: null,
  plan: 'free',
  scopes: Object.freeze([]),
  sport: null,
});

/** Somebody who administers: what a role may do is its scopes. */
export function administratorViewer(administrator: AdministratorIdentity): Viewer {
  const { scopes } = roles[administrator.role];
  return { kind: 'ADMINISTRATOR', accountId: null, keyId: null, plan: 'free', scopes, sport: null, administrator };
}

/** True when the viewer is the account that owns the row; nobody owns what has no account. */
export function owns(viewer: Viewer, accountId: string | null): boolean {
  return accountId !== null && viewer.accountId === accountId;
}

/** True for the platform itself and for its administrators: they see what owners see. */
export function hasFullAccess(viewer: Viewer): boolean {
  return viewer.kind === 'SYSTEM' || viewer.kind === 'ADMINISTRATOR';
}
