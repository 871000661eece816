/** The table of the request log. Routers write it with their usage (accounts.log_requests). */
import { sql } from '../../../platform/database/database.ts';
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { RequestApi } from '../generated/resolvers.ts';

export interface LoggedRequestRow {
  readonly id: string;
  readonly at: string;
  readonly accountId: string;
  readonly key: string;
  readonly api: RequestApi;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  readonly documentHash: string | null;
  readonly area: string | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly errorPointers: string[];
  readonly durationMs: number;
  readonly units: number;
  readonly requestId: string;
  readonly network: string | null;
  readonly userAgent: string | null;
}

export type LoggedRequestPage = Page<LoggedRequestRow>;

export const loggedRequests = table<LoggedRequestRow>('request_log', {
  id: 'plain',
  at: 'plain',
  accountId: 'plain',
  key: sql`request_log.public_id`,
  api: 'plain',
  method: 'plain',
  path: 'plain',
  operation: 'plain',
  documentHash: 'plain',
  area: 'plain',
  status: 'plain',
  errorCode: 'plain',
  errorPointers: 'plain',
  durationMs: 'plain',
  units: 'plain',
  requestId: 'plain',
  network: sql`request_log.network::text`,
  userAgent: 'plain',
});
