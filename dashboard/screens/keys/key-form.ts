/** What the forms of a key hold, and how it is told to the platform. */
import { keyScopes, scopes as scopeTable, type Scope } from '../../../schema/scopes.ts';

/** Never, days from now, the end of a day (UTC), or as it was. */
export type ExpiryChoice = 'NEVER' | '30' | '90' | '365' | 'DAY' | 'SAME';

export interface KeyFormValues {
  readonly name: string;
  readonly scopes: readonly string[];
  /** One a line. */
  readonly networks: string;
  readonly expiry: ExpiryChoice;
  /** `2026-12-31`, where a day is chosen. */
  readonly day: string;
}

const dayMs = 86_400_000;

/** When the key ends; null: never; undefined: as it was, or not said yet. */
export function expiryOf({ expiry, day }: Pick<KeyFormValues, 'expiry' | 'day'>): string | null | undefined {
  if (expiry === 'NEVER') return null;
  if (expiry === 'SAME') return undefined;
  if (expiry === 'DAY') return day === '' ? undefined : `${day}T23:59:59.000Z`;
  return new Date(Date.now() + Number(expiry) * dayMs).toISOString();
}

/** The lines of a text that say something, with their numbers as people count them. */
export const linesOf = (text: string): readonly { readonly line: number; readonly text: string }[] =>
  text
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '');

export const networksOf = (text: string): string[] => linesOf(text).map((line) => line.text);

/** Whether a plan lets a key hold a scope. */
export const isInPlan = (scope: Scope, writes: boolean): boolean => writes || !scopeTable[scope].write;

/** Scopes without those that the plan does not allow. */
export const scopesIn = (chosen: readonly string[], writes: boolean): string[] =>
  keyScopes.filter((scope) => chosen.includes(scope) && isInPlan(scope, writes));
