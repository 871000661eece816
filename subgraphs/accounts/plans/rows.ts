/** The plan table and its rows: one row per version of a plan. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { PlanStatus } from '../generated/resolvers.ts';
import type { PlanTerms } from './terms.ts';

export interface PlanRow extends PlanTerms {
  readonly id: string;
  readonly code: string;
  readonly version: number;
  readonly name: string;
  readonly writes: boolean;
  /** 7 or 30. */
  readonly requestLogDays: number;
  readonly status: PlanStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type PlanPage = Page<PlanRow>;

export const plans = table<PlanRow>('plan', {
  id: 'plain',
  code: 'plain',
  version: 'plain',
  name: 'plain',
  priceAmountMinor: 'plain',
  currency: 'plain',
  burstPerMinute: 'plain',
  perDay: 'plain',
  perMonth: 'plain',
  writes: 'plain',
  webhooks: 'plain',
  streams: 'plain',
  requestLogDays: 'plain',
  status: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
});

/** `<code>/<version>` of the plan of a key. */
export const planKey = ({ planCode, planVersion }: { readonly planCode: string; readonly planVersion: number }): string =>
  `${planCode}/${planVersion}`;

/** `planKey` of a plan. */
export const keyOfPlan = ({ code, version }: Pick<PlanRow, 'code' | 'version'>): string =>
  planKey({ planCode: code, planVersion: version });
