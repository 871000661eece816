/** The access log of minors as an audited log. */
import { sql } from '../../../platform/database/database.ts';
import type { AuditedLog } from '../../../platform/events/audit-verification.ts';

/** Digests cover days that have ended, whose rows do not change any more. */
export const accessLog: AuditedLog = {
  area: 'athletes',
  table: 'minor_access',
  place: sql`(day - date '1970-01-01')::bigint`,
  hash: sql`sha256(convert_to(jsonb_build_array(id, athlete_id, day, account_id, key_id, administrator_id, scopes, parts, reads,
    extract(epoch from first_at), extract(epoch from last_at))::text, 'UTF8'))`,
  isHalfErased: sql`false`,
  erasures: 'audit_minor_access_erasure',
  erasesRows: true,
};
