/** The table of plan requests and its rows. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import { partnerRequestColumns, type PartnerRequestRow } from '../partner-requests/rules.ts';
import { createRecordedRows } from '../recorded-rows.ts';

export interface PlanRequestRow extends PartnerRequestRow {
  readonly planCode: string;
}

export type PlanRequestPage = Page<PlanRequestRow>;

export const planRequests = table<PlanRequestRow>('plan_request', { ...partnerRequestColumns, planCode: 'plain' });

export const planRequestRows = createRecordedRows(planRequests, 'plan_request');
