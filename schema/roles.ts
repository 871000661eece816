/** The roles of administrators: what each role allows, its scopes, and whether it reads minors. */
import { keysOf } from './records.ts';
import { scopeNames, scopes, type Scope } from './scopes.ts';

/** Scopes that read private data of partner accounts; every session has them. */
const reading: readonly Scope[] = ['scouting:read', 'opportunities:read', 'events:read', 'requests:read'];

const all = scopeNames.filter((scope) => scopes[scope].granted !== 'MEMBERSHIP');

export const roles = {
  OWNER: { allows: 'Everything, including the management of administrators', scopes: all, readsMinors: true },
  ADMIN: {
    allows: 'Accounts, keys, plans and moderation',
    scopes: all.filter((scope) => scope !== 'administrators:write'),
    readsMinors: true,
  },
  MODERATOR: {
    allows: 'Verification and reports; read access to everything else',
    scopes: [...reading, 'moderation:write'],
    readsMinors: true,
  },
  // reads minors like a caller without a key (docs/minors.md)
  VIEWER: { allows: 'Read access, except to the data of minors', scopes: reading, readsMinors: false },
} as const satisfies Record<string, { allows: string; scopes: readonly Scope[]; readsMinors: boolean }>;

export type Role = keyof typeof roles;
export const roleNames = keysOf(roles);

const scopesOf = (role: Role): readonly Scope[] => roles[role].scopes;

/** The reason why a role is denied, with the roles that have the needed scopes. */
export function roleRefusal(role: Role | undefined, needed: readonly Scope[]): string {
  const able = roleNames.filter((name) => needed.every((scope) => scopesOf(name).includes(scope)));
  return `The role ${role ?? 'of this session'} lacks the scope ${needed.join(', ')}. Required role: ${able.join(' or ')}.`;
}
