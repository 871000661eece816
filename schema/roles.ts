/** The roles of administrators, one row each: what a role allows, and the scopes it acts with. */
import { scopeNames, type Scope } from './scopes.ts';

/** What is private to the accounts of partners, to be read by whoever has a session. */
const reading: readonly Scope[] = ['scouting:read', 'opportunities:read', 'events:read'];

export const roles = {
  OWNER: { allows: 'Everything, and who else may enter', scopes: scopeNames },
  ADMIN: {
    allows: 'Accounts, keys, plans and moderation',
    scopes: scopeNames.filter((scope) => scope !== 'administrators:write'),
  },
  MODERATOR: { allows: 'Verifications and reports; everything else is shown', scopes: [...reading, 'moderation:write'] },
  VIEWER: { allows: 'Looks, and changes nothing', scopes: reading },
} as const satisfies Record<string, { allows: string; scopes: readonly Scope[] }>;

export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as Role[];

/** Why a role may not, and which roles may; without a role it is nobody's right. */
export function roleRefusal(role: Role | undefined, needed: readonly Scope[]): string {
  const able = roleNames.filter((name) => needed.every((scope) => (roles[name].scopes as readonly Scope[]).includes(scope)));
  return `The role ${role ?? 'of this session'} lacks ${needed.join(', ')}: ${able.join(' and ')} may do this.`;
}
