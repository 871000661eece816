/** The status of a webhook endpoint as the dashboard displays it, and the reasons for which one is disabled. */
import type { WebhookDisabledReason, WebhookEndpointStatus } from '../../generated/graphql.ts';

interface EndpointState {
  readonly status: WebhookEndpointStatus;
  readonly failingSince: string | null;
}

/** An enabled endpoint whose last attempt failed is failing. */
export const webhookStatusOf = ({ status, failingSince }: EndpointState): WebhookEndpointStatus | 'FAILING' =>
  status === 'ENABLED' && failingSince !== null ? 'FAILING' : status;

export const disabledReasons: Readonly<Record<WebhookDisabledReason, string>> = {
  OWNER: 'By the account or an administrator',
  GONE: 'Responded with the status 410',
  FAILING: 'Failed for five days',
  PLAN: 'Not included in the plan, or no valid key',
};

interface Named {
  readonly url: string;
  readonly description: string | null;
}

/** The description, or the host of the URL. */
export const webhookName = ({ url, description }: Named): string => description ?? (URL.canParse(url) ? new URL(url).host : url);
