/** The webhooks of all accounts in figures: endpoints that fail, and events that wait. */
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { webhookEndpoints, type WebhookEndpointRow } from './rows.ts';

export interface WebhookOverviewRow {
  readonly failing: number;
  readonly disabled: number;
  readonly lag: number;
  readonly oldestSeconds: number | null;
}

/** Waiting events that are counted. */
const lagMax = 10_000;

/** Reads over the area's database. The caller must check that the viewer is an administrator. */
export function createWebhookOverview({ database }: Pick<AreaServices, 'database'>) {
  return {
    async read(): Promise<WebhookOverviewRow> {
      const [row] = await database.query<WebhookOverviewRow>(sql`/* webhookOverview.read */
        with unscheduled as (
          select at from event where sequence > (select sequence from webhook_position) order by sequence limit ${lagMax}
        ), waiting as (
          select min(at) as at from unscheduled where exists (select from webhook_endpoint where status = 'ENABLED')
          union all
          select min(d.created_at) from webhook_endpoint w join account a on a.id = w.account_id and a.status = 'ACTIVE' cross join lateral (
            select created_at from webhook_delivery where endpoint_id = w.id and attempts = 0 order by position limit 1
          ) d where w.status = 'ENABLED'
        )
        select
          (select count(*) from webhook_health h join webhook_endpoint w on w.id = h.endpoint_id
            where h.failing_since is not null and w.status = 'ENABLED')::int as failing,
          (select count(*) from webhook_endpoint
            where disabled_reason in ('FAILING', 'GONE') and disabled_at > now() - interval '7 days')::int as disabled,
          (select count(*) from unscheduled)::int as lag,
          (select greatest(0, extract(epoch from now() - at))::int from waiting where at is not null order by at limit 1) as "oldestSeconds"`);
      if (!row) throw new Error('The query for the overview of webhooks returned no row');
      return row;
    },
    /** The enabled endpoints that have failed for the longest time. */
    longestFailing: (first: number): Promise<WebhookEndpointRow[]> =>
      database.query<WebhookEndpointRow>(
        sql`/* webhookOverview.longestFailing */
        select ${webhookEndpoints.columns} from webhook_endpoint join webhook_health h on h.endpoint_id = webhook_endpoint.id
        where h.failing_since is not null and webhook_endpoint.status = 'ENABLED'
        order by h.failing_since, webhook_endpoint.id limit ${first}`,
        'PAGE',
      ),
  };
}
