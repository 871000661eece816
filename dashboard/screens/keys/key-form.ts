/** The values of the API key forms, and their conversion to the input of the API. */
import { useState } from 'react';
import { keyScopes, scopes as scopeTable, type Scope } from '../../../schema/scopes.ts';
import { violationsByIndex, type RequestError } from '../../graph/request-error.ts';

/** Never, a number of days, the end of a date (UTC), or the current expiry. */
export type ExpiryChoice = 'NEVER' | '30' | '90' | '365' | 'DAY' | 'UNCHANGED';

export interface KeyFormValues {
  readonly name: string;
  readonly scopes: readonly string[];
  /** One CIDR block per line. */
  readonly networks: string;
  readonly registeredDocumentsOnly: boolean;
  readonly expiry: ExpiryChoice;
  /** The date of the choice `DAY`: `2026-12-31`. */
  readonly day: string;
}

const dayMs = 86_400_000;

/** The expiry; null for never, undefined for unchanged or for a missing date. */
export function expiryOf({ expiry, day }: Pick<KeyFormValues, 'expiry' | 'day'>): string | null | undefined {
  if (expiry === 'NEVER') return null;
  if (expiry === 'UNCHANGED') return undefined;
  if (expiry === 'DAY') return day === '' ? undefined : `${day}T23:59:59.000Z`;
  return new Date(Date.now() + Number(expiry) * dayMs).toISOString();
}

/** Whether a plan allows a scope. */
export const isInPlan = (scope: Scope, canWrite: boolean): boolean => canWrite || !scopeTable[scope].write;

/** The selected scopes that the plan allows. */
export const scopesIn = (selected: readonly string[], canWrite: boolean): string[] =>
  keyScopes.filter((scope) => selected.includes(scope) && isInPlan(scope, canWrite));

/** The errors of the networks field, by index of the network. They are cleared when the field changes. */
export function useNetworkViolations() {
  const [violations, setViolations] = useState<ReadonlyMap<number, string>>(new Map());
  return {
    violations,
    setFrom: (error: RequestError): void => setViolations(violationsByIndex(error, 'allowedCidrs')),
    clearOnChange: ({ networks }: KeyFormValues, previous: KeyFormValues): void => {
      if (networks !== previous.networks) setViolations(new Map());
    },
  };
}
