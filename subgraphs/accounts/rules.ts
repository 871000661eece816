/** The rules of plans, accounts and keys that need no database. */
import ipaddr from 'ipaddr.js';
import { Problem, type Violation } from '../../schema/errors.ts';
import { isScope, keyScopes, scopes as scopeTable } from '../../schema/scopes.ts';
import { hasFullAccess, type Viewer } from '../../schema/viewer.ts';
import { parseNetwork } from '../../platform/http/networks.ts';
import type { Transitions } from '../../platform/writes/transition.ts';
import type { AccountStatus, ApiKeyStatus } from './resolvers.generated.ts';

export const apiKeyTransitions = {
  disable: { from: ['ACTIVE'], to: 'DISABLED', actors: ['MODERATOR'] },
  enable: { from: ['DISABLED'], to: 'ACTIVE', actors: ['MODERATOR'] },
  rotate: { from: ['ACTIVE'], to: 'ACTIVE', actors: ['MODERATOR'] },
  revoke: { from: ['ACTIVE', 'DISABLED'], to: 'REVOKED', actors: ['MODERATOR'] },
} as const satisfies Transitions<ApiKeyStatus, string>;

/** The steps that change nothing but the standing. */
export type ApiKeyVerb = Exclude<keyof typeof apiKeyTransitions, 'rotate'>;

export const accountTransitions = {
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED', actors: ['MODERATOR'] },
  reinstate: { from: ['SUSPENDED'], to: 'ACTIVE', actors: ['MODERATOR'] },
  close: { from: ['ACTIVE', 'SUSPENDED'], to: 'CLOSED', actors: ['MODERATOR'] },
} as const satisfies Transitions<AccountStatus, string>;

export type AccountVerb = keyof typeof accountTransitions;

/** Which resource takes a step, and why. */
export interface Step {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Only the platform and its administrators manage accounts. Throws Problem api_key_missing (401) or insufficient_scope (403). */
export function requireAdministrator(viewer: Viewer): void {
  if (hasFullAccess(viewer)) return;
  if (viewer.kind === 'ANONYMOUS') throw new Problem('api_key_missing', 'Only an administrator may do this.');
  throw new Problem('insufficient_scope', 'Only an administrator may do this.');
}

/** The key of the request, by its public id. Throws Problem api_key_missing (401) when there is none. */
export function requireKey(viewer: Viewer): string {
  if (viewer.keyId !== null) return viewer.keyId;
  throw new Problem('api_key_missing', 'This needs an API key: send it in the x-api-key header.');
}

/** Faults of scopes that do not exist. */
export function scopeViolations(scopes: readonly string[] | null | undefined): Violation[] {
  return (scopes ?? []).flatMap((scope, index) =>
    isScope(scope) && keyScopes.includes(scope)
      ? []
      : [
          {
            pointer: `/scopes/${index}`,
            code: 'unknown_scope',
            detail: `There is no scope "${scope}". There are ${keyScopes.join(', ')}.`,
          },
        ],
  );
}

/** Throws Problem insufficient_scope (403) when a scope is an administrator's to grant, and the viewer is none. */
export function requireGrantable(scopes: readonly string[], viewer: Viewer): void {
  if (hasFullAccess(viewer)) return;
  const reserved = scopes.filter((scope) => isScope(scope) && scopeTable[scope].granted === 'ADMINISTRATOR');
  if (reserved.length > 0) throw new Problem('insufficient_scope', `Only an administrator grants ${reserved.join(', ')}.`);
}

interface Standing {
  readonly name: string;
  readonly status: AccountStatus;
}

/** Throws Problem conflict (409) when an account is closed: nothing of it changes any more. */
export function requireOpen({ name, status }: Standing): void {
  if (status === 'CLOSED') throw new Problem('conflict', `The account "${name}" is closed.`);
}

/** Throws Problem conflict (409) when an account is not in good standing: it gets no new keys. */
export function requireActive({ name, status }: Standing): void {
  if (status !== 'ACTIVE') throw new Problem('conflict', `The account "${name}" is ${status.toLowerCase()}; it gets no keys.`);
}

/** The fault of a plan that does not exist. */
export const unknownPlan = (code: string): Violation => ({
  pointer: '/plan',
  code: 'unknown_plan',
  detail: `There is no plan "${code}".`,
});

/** Throws Problem write_not_in_plan (403) when a scope writes and the plan does not (docs/api-conventions.md). */
export function requireScopesInPlan(scopes: readonly string[], plan: { readonly code: string; readonly writes: boolean }): void {
  const writing = plan.writes ? [] : scopes.filter((scope) => isScope(scope) && scopeTable[scope].write);
  if (writing.length === 0) return;
  throw new Problem(
    'write_not_in_plan',
    `The plan "${plan.code}" has no write access, so its keys cannot hold ${writing.join(', ')}.`,
  );
}

/** A network in canonical form; a lone address is the network of itself; null when it is neither. */
export function canonicalNetwork(text: string): string | null {
  const network = parseNetwork(text);
  if (network === null) return null;
  const { first, bits } = network;
  const canonical = `${first.toString()}/${bits}`;
  const kind = first instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  // Bits right of the prefix are a slip of the hand: 10.1.2.3/8 is as likely meant to be 10.1.2.3.
  return kind.networkAddressFromCIDR(canonical).toString() === first.toString() ? canonical : null;
}

/** Faults of networks that are none. */
export function networkViolations(networks: readonly string[] | null | undefined): Violation[] {
  return (networks ?? []).flatMap((network, index) =>
    canonicalNetwork(network) === null
      ? [
          {
            pointer: `/allowedCidrs/${index}`,
            code: 'invalid_network',
            detail: `"${network}" is not a network: use 203.0.113.0/24 or 2001:db8::/32, without bits right of the prefix.`,
          },
        ]
      : [],
  );
}

/** Canonical networks, each once. */
export function networksOf(networks: readonly string[] | null | undefined): string[] {
  return [...new Set((networks ?? []).map((network) => canonicalNetwork(network) ?? network))];
}

/** Whether the time of a key is over. */
export const hasExpired = ({ expiresAt }: { readonly expiresAt?: string | null | undefined }): boolean =>
  !!expiresAt && Date.parse(expiresAt) <= Date.now();

/** The fault of an expiry that has passed. */
export function expiryViolation(expiresAt: string | null | undefined): Violation | null {
  return hasExpired({ expiresAt }) ? { pointer: '/expiresAt', code: 'in_past', detail: 'The expiry lies in the past.' } : null;
}
