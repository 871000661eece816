/** The roles of members of an account: what each role allows, and its scopes. */
import { keysOf } from './records.ts';
import { scopeNames, scopes, type Scope } from './scopes.ts';

/** Scopes of the data of an account; those that administrators grant to keys are none of them. */
const data = scopeNames.filter((scope) => scopes[scope].granted === 'ANYONE');

export const memberRoles = {
  OWNER: {
    allows: 'Everything of the account, including members and requests to the operator',
    scopes: [...data, 'keys:write', 'members:write', 'billing:write', 'requests:write'],
  },
  DEVELOPER: {
    allows: 'Keys, webhooks and data of the account; no members and no requests to the operator',
    scopes: [...data, 'keys:write'],
  },
  VIEWER: { allows: 'Read access', scopes: data.filter((scope) => !scopes[scope].write) },
} as const satisfies Record<string, { allows: string; scopes: readonly Scope[] }>;

export type MemberRole = keyof typeof memberRoles;
export const memberRoleNames = keysOf(memberRoles);

const scopesOf = (role: MemberRole): readonly Scope[] => memberRoles[role].scopes;

/** The scopes of a member: those of the role, without those that need write access if the plan of the account has none. */
export const memberScopes = (role: MemberRole, planWrites: boolean): readonly Scope[] =>
  scopesOf(role).filter((scope) => planWrites || !scopes[scope].write);

/** The reason why a member is denied, with the roles that have the needed scopes. */
export function memberRefusal(role: MemberRole | undefined, needed: readonly Scope[]): string {
  const able = memberRoleNames.filter((name) => needed.every((scope) => scopesOf(name).includes(scope)));
  const required = able.length === 0 ? 'No role of an account has it.' : `Required role: ${able.join(' or ')}.`;
  return `The role ${role ?? 'of this session'} lacks the scope ${needed.join(', ')}. ${required}`;
}
