/** The table of verification requests and its rows. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import { partnerRequestColumns, type PartnerRequestRow } from '../partner-requests/rules.ts';
import { createRecordedRows } from '../recorded-rows.ts';

export interface VerificationRequestRow extends PartnerRequestRow {
  readonly organizationId: string;
  readonly links: string[];
}

export type VerificationRequestPage = Page<VerificationRequestRow>;

export const verificationRequests = table<VerificationRequestRow>('verification_request', {
  ...partnerRequestColumns,
  organizationId: 'plain',
  links: 'plain',
});

export const verificationRequestRows = createRecordedRows(verificationRequests, 'verification_request');
