/** The search parameters of the audit log, and the API filter they stand for. */
import { resourceNames } from '../../../schema/resource-names.ts';
import { datePattern, idPattern } from '../../components/list-search.ts';
import type { Area, AuditFilter } from '../../generated/graphql.ts';
import { areas } from '../../components/areas.ts';

export const auditFilters = {
  administrator: idPattern,
  user: idPattern,
  area: areas,
  type: Object.keys(resourceNames),
  resource: idPattern,
  action: /^[a-z_]{1,60}$/,
  key: /^sp_(live|test)_[0-9A-Za-z]{12}$/,
  since: datePattern,
  until: datePattern,
} as const;

export type AuditSearch = { readonly area?: Area | undefined } & {
  readonly [Name in Exclude<keyof typeof auditFilters, 'area'>]?: string | undefined;
};

const dayMs = 86_400_000;

/** The start of a date in UTC, or of a day after it; null for an invalid date. */
function dayOf(day: string | undefined, daysAfter = 0): string | null {
  const start = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(start) ? null : new Date(start + daysAfter * dayMs).toISOString();
}

/** The filter of the API. The entries of both dates are included. */
export const filterOf = ({ administrator, user, area, type, resource, action, key, since, until }: AuditSearch): AuditFilter => ({
  administratorId: administrator ?? null,
  userId: user ?? null,
  area: area ?? null,
  resourceType: type ?? null,
  resourceId: resource ?? null,
  action: action ?? null,
  keyId: key ?? null,
  from: dayOf(since),
  to: dayOf(until, 1),
});
