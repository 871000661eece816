/** The viewer: the identity on whose behalf a request runs. The router's admission creates it from the API key; areas know no other identity. */
import { memberScopes, type MemberRole } from './member-roles.ts';
import { roles, type Role } from './roles.ts';
import { isScope, type Scope } from './scopes.ts';
import type { Sport } from './sports.ts';

export type ViewerKind = 'ANONYMOUS' | 'KEY' | 'MEMBER' | 'ADMINISTRATOR' | 'SYSTEM';

/** The administrator of a session, as recorded in the audit log. */
export interface AdministratorIdentity {
  readonly id: string;
  readonly role: Role;
  /** Label of the client's network (platform/security/network-label.ts), never its address. */
  readonly address: string;
  /** The session of this request; absent for work that the platform does on behalf of an administrator. */
  readonly sessionId?: string;
}

/** The portal user of a session, as a member of one account. */
export interface MemberIdentity {
  readonly userId: string;
  readonly role: MemberRole;
  /** Label of the client's network (platform/security/network-label.ts), never its address. */
  readonly address: string;
  /** The session of this request; absent during sign-in. */
  readonly sessionId?: string;
}

/** The account of a member's request, with its plan. */
export interface MemberAccount {
  readonly accountId: string;
  /** Code of the pricing plan of the account. */
  readonly plan: string;
  /** Whether the plan includes write access. */
  readonly writes: boolean;
}

export interface Viewer {
  readonly kind: ViewerKind;
  /** The account of the key or member; null for anonymous callers, administrators and the system. */
  readonly accountId: string | null;
  /** Public id of the key (the part before the dot); null without a key. */
  readonly keyId: string | null;
  /** Code of the pricing plan: "free" for anonymous callers. */
  readonly plan: string;
  readonly scopes: readonly Scope[];
  /** Sport of the host (football.example.com), applied by the stores; null on the main host. */
  readonly sport: Sport | null;
  /** The account whose test data the request reads and writes; absent: the data of the platform. */
  readonly sandbox?: string;
  /** The signed-in administrator; absent for all other viewers. */
  readonly administrator?: AdministratorIdentity;
  /** The signed-in member; absent for all other viewers. */
  readonly member?: MemberIdentity;
}

/** The anonymous viewer of the main host. */
export const ANONYMOUS: Viewer = Object.freeze({
  kind: 'ANONYMOUS',
  accountId: null,
  keyId: null,
  plan: 'free',
  scopes: Object.freeze([]),
  sport: null,
});

/** The viewer for work that the platform does for an account without a request, such as webhooks. Unknown scopes are left out. */
export const accountViewer = (accountId: string, scopes: readonly string[]): Viewer =>
  Object.freeze({
    kind: 'KEY',
    accountId,
    keyId: null,
    plan: 'free',
    scopes: Object.freeze(scopes.filter(isScope)),
    sport: null,
  });

const viewersAtSports = new WeakMap<Viewer, Map<Sport, Viewer>>();

/** The same viewer at the host of a sport: one object per viewer and sport. */
export function viewerAt(viewer: Viewer, sport: Sport | null): Viewer {
  if (sport === null) return viewer;
  const known = viewersAtSports.get(viewer) ?? new Map<Sport, Viewer>();
  viewersAtSports.set(viewer, known);
  const made = known.get(sport) ?? Object.freeze({ ...viewer, sport });
  known.set(sport, made);
  return made;
}

/** The platform: projections and commands read and write as this viewer. */
export const SYSTEM: Viewer = Object.freeze({
  kind: 'SYSTEM',
  accountId: null,
  keyId: null,
  plan: 'free',
  scopes: Object.freeze([]),
  sport: null,
});

/** The same viewer on the test data of an account. */
export const inSandbox = (viewer: Viewer, accountId: string): Viewer => ({ ...viewer, sandbox: accountId });

/** The viewer of an administrator; the scopes of the role are its rights. */
export function administratorViewer(administrator: AdministratorIdentity): Viewer {
  const { scopes } = roles[administrator.role];
  return { kind: 'ADMINISTRATOR', accountId: null, keyId: null, plan: 'free', scopes, sport: null, administrator };
}

/** The viewer of a member of an account; the scopes of the role that the plan includes are its rights. */
export function memberViewer(member: MemberIdentity, { accountId, plan, writes }: MemberAccount): Viewer {
  return { kind: 'MEMBER', accountId, keyId: null, plan, scopes: memberScopes(member.role, writes), sport: null, member };
}

/** The viewer of a portal user outside of accounts, for sign-in and the own profile. */
export function userViewer(member: MemberIdentity): Viewer {
  return { kind: 'MEMBER', accountId: null, keyId: null, plan: 'free', scopes: [], sport: null, member };
}

/** Whether the viewer's account owns a row. A row without an account has no owner. */
export function owns(viewer: Viewer, accountId: string | null): boolean {
  return accountId !== null && viewer.accountId === accountId;
}

/** Whether the viewer reads everything that owners read: the platform and its administrators. */
export function hasFullAccess(viewer: Viewer): boolean {
  return viewer.kind === 'SYSTEM' || viewer.kind === 'ADMINISTRATOR';
}

/**
 * Whether the viewer reads minors without consent: the platform, and administrators unless their role excludes it. The athletes area
 * records every such read of an administrator in the access log of the minor.
 */
export function readsMinors({ kind, administrator }: Viewer): boolean {
  return kind === 'SYSTEM' || (administrator !== undefined && roles[administrator.role].readsMinors);
}
