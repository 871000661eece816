/** Rules about API keys that need no database: states, scopes, networks and expiry. */
import ipaddr from 'ipaddr.js';
import { Problem, type Violation } from '../../../schema/errors.ts';
import { memberRefusal, memberScopes } from '../../../schema/member-roles.ts';
import { isScope, keyScopes, scopes as scopeTable } from '../../../schema/scopes.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { parseNetwork } from '../../../platform/http/networks.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { ApiKeyStatus } from '../generated/resolvers.ts';

export const apiKeyTransitions = {
  disable: { from: ['ACTIVE'], to: 'DISABLED', actors: ['MODERATOR'] },
  enable: { from: ['DISABLED'], to: 'ACTIVE', actors: ['MODERATOR'] },
  rotate: { from: ['ACTIVE'], to: 'ACTIVE', actors: ['MODERATOR'] },
  revoke: { from: ['ACTIVE', 'DISABLED'], to: 'REVOKED', actors: ['MODERATOR'] },
} as const satisfies Transitions<ApiKeyStatus, string>;

/** The transitions that change only the state. */
export type ApiKeyVerb = Exclude<keyof typeof apiKeyTransitions, 'rotate'>;

/** The problem of a change of a revoked key. */
export const revokedKeyProblem = (detail: string): Problem =>
  new Problem('invalid_transition', detail, { state: 'REVOKED', allowedTransitions: [] });

/** Violations of unknown scopes. */
export function scopeViolations(scopes: readonly string[] | null | undefined): Violation[] {
  return (scopes ?? []).flatMap((scope, index) =>
    isScope(scope) && keyScopes.includes(scope)
      ? []
      : [
          {
            pointer: `/scopes/${index}`,
            code: 'unknown_scope',
            detail: `There is no scope "${scope}". Valid scopes: ${keyScopes.join(', ')}.`,
          },
        ],
  );
}

/** Throws Problem insufficient_scope (403) if only administrators can grant a scope and the viewer is not an administrator. */
export function requireGrantable(scopes: readonly string[], viewer: Viewer): void {
  if (hasFullAccess(viewer)) return;
  const reserved = scopes.filter((scope) => isScope(scope) && scopeTable[scope].granted === 'ADMINISTRATOR');
  if (reserved.length > 0)
    throw new Problem('insufficient_scope', `Only administrators can grant the scopes ${reserved.join(', ')}.`);
}

/** Throws Problem insufficient_scope (403) if a member grants a scope that the role does not have. */
export function requireScopesOfRole(scopes: readonly string[], { member }: Viewer): void {
  if (member === undefined) return;
  const own: readonly string[] = memberScopes(member.role, true);
  const missing = scopes.filter((scope) => isScope(scope) && !own.includes(scope)).filter(isScope);
  if (missing.length > 0)
    throw new Problem('insufficient_scope', memberRefusal(member.role, missing), { requiredScopes: missing });
}

/** A network in canonical form; a single address is a network of one address. Null for an invalid network. */
function canonicalNetwork(text: string): string | null {
  const network = parseNetwork(text);
  if (network === null) return null;
  const { first, bits } = network;
  const canonical = `${first.toString()}/${bits}`;
  const kind = first instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  // Host bits are probably a mistake: 10.1.2.3/8 may be meant to be 10.1.2.3.
  return kind.networkAddressFromCIDR(canonical).toString() === first.toString() ? canonical : null;
}

/** Violations of invalid networks. */
export function networkViolations(networks: readonly string[] | null | undefined): Violation[] {
  return (networks ?? []).flatMap((network, index) =>
    canonicalNetwork(network) === null
      ? [
          {
            pointer: `/allowedCidrs/${index}`,
            code: 'invalid_network',
            detail: `"${network}" is not a valid network. Use a form such as 203.0.113.0/24 or 2001:db8::/32, without host bits.`,
          },
        ]
      : [],
  );
}

/** Distinct networks in canonical form. */
export function networksOf(networks: readonly string[] | null | undefined): string[] {
  return [...new Set((networks ?? []).map((network) => canonicalNetwork(network) ?? network))];
}

export const hasExpired = ({ expiresAt }: { readonly expiresAt?: string | null | undefined }): boolean =>
  !!expiresAt && Date.parse(expiresAt) <= Date.now();

/** The violation of an expiry in the past. */
export function expiryViolation(expiresAt: string | null | undefined): Violation | null {
  return hasExpired({ expiresAt })
    ? { pointer: '/expiresAt', code: 'in_past', detail: '`expiresAt` must be in the future.' }
    : null;
}

interface Rotated {
  readonly rotatedTo: string | null;
  readonly expiresAt: string | null;
}

/** The violation of an expiry after the end of the grace period of a rotated key. */
export function graceViolation(key: Rotated, expiresAt: string | null | undefined): Violation | null {
  const { rotatedTo, expiresAt: graceEnd } = key;
  if (rotatedTo === null || graceEnd === null || expiresAt === undefined) return null;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(graceEnd)) return null;
  return { pointer: '/expiresAt', code: 'after_grace', detail: `The key was rotated and expires at ${graceEnd} at the latest.` };
}
