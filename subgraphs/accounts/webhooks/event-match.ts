/** Which events an endpoint may receive: its filters, and what its account may possibly read. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { concernsAccount } from '../events/filter.ts';

/** Joins the row `e` of an event with the rows `w` of the endpoints that may receive it. */
export const matchesEndpoint: Sql = sql`(w.types = '{}' or e.type = any(w.types))
  and (w.areas = '{}' or upper(e.area) = any(w.areas))
  and (w.sports = '{}' or e.sports && w.sports)
  and (w.competition_ids = '{}' or e.competition_id = any(w.competition_ids))
  and (w.organization_ids = '{}' or e.organization_id = any(w.organization_ids))
  and ${concernsAccount(sql`w.account_id`)}`;
