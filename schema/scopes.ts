/** The scopes of keys, administrators and members. */
import { keysOf } from './records.ts';

interface ScopeRule {
  readonly allows: string;
  /** Whether the scope requires a plan with write access. */
  readonly write: boolean;
  readonly granted: 'ANYONE' | 'ADMINISTRATOR' | 'ROLE' | 'MEMBERSHIP';
}

/** What each scope allows, and who grants it. Scopes granted by ROLE belong to administrators, those granted by MEMBERSHIP to members of an account; no key may hold them. */
export const scopes = {
  'athletes:write': { allows: 'Create and change athletes, statistics and consents', write: true, granted: 'ANYONE' },
  'competitions:write': { allows: 'Create and change competitions, matches and results', write: true, granted: 'ANYONE' },
  'scouting:write': {
    allows: 'Create shortlists, reports and saved searches, request contact, rate recommendations',
    write: true,
    granted: 'ANYONE',
  },
  'scouting:read': {
    allows: 'Read the shortlists, reports, saved searches and contact requests of the account',
    write: false,
    granted: 'ANYONE',
  },
  'opportunities:write': { allows: 'Create and change opportunities and applications', write: true, granted: 'ANYONE' },
  'opportunities:read': { allows: 'Read the applications of the account', write: false, granted: 'ANYONE' },
  'organizations:write': { allows: 'Create and change organizations, teams and memberships', write: true, granted: 'ANYONE' },
  'documents:write': { allows: 'Register and delete GraphQL documents', write: true, granted: 'ANYONE' },
  'events:read': { allows: 'Read the event feed and stream', write: false, granted: 'ANYONE' },
  'requests:read': { allows: 'Read the request log of the account', write: false, granted: 'ANYONE' },
  'webhooks:write': { allows: 'Create and change webhook endpoints', write: true, granted: 'ANYONE' },
  'minors:read': { allows: 'Read data of minors that a guardian consented to', write: false, granted: 'ADMINISTRATOR' },
  'moderation:write': { allows: 'Verify, reject, suspend and reinstate', write: true, granted: 'ADMINISTRATOR' },
  'administration:write': { allows: 'Manage accounts, keys and plans', write: true, granted: 'ROLE' },
  'administrators:write': { allows: 'Manage administrators', write: true, granted: 'ROLE' },
  'keys:write': { allows: 'Manage the keys of the account', write: false, granted: 'MEMBERSHIP' },
  'members:write': { allows: 'Manage the members of the account', write: false, granted: 'MEMBERSHIP' },
  'billing:write': { allows: 'Change the billing data of the account', write: false, granted: 'MEMBERSHIP' },
  'requests:write': { allows: 'Request another plan or a verification', write: false, granted: 'MEMBERSHIP' },
} as const satisfies Record<string, ScopeRule>;

export type Scope = keyof typeof scopes;
export const scopeNames = keysOf(scopes);

/** Whether a value is the name of a scope. */
export function isScope(value: unknown): value is Scope {
  return typeof value === 'string' && Object.hasOwn(scopes, value);
}

/** The scopes that keys may hold. */
export const keyScopes = scopeNames.filter((scope) => ['ANYONE', 'ADMINISTRATOR'].includes(scopes[scope].granted));
