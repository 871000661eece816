/** Resolvers of webhook endpoints, their deliveries and attempts. */
import type { Secrets } from '../../../platform/security/secrets.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createDeliveryWrites } from './delivery-writes.ts';
import { createEndpointSecrets } from './endpoint-secrets.ts';
import { canReadExcerpts } from './excerpt-visibility.ts';
import { createWebhookOverview } from './overview.ts';
import { createWebhookReads } from './reads.ts';
import type { WebhookSecretRow } from './rows.ts';
import { createWebhookWrites } from './writes.ts';

/** Endpoints of accounts; administrators have access to all. */
export function webhookResolvers(services: AreaServices, secrets: Secrets, accounts: AccountReads) {
  const reads = createWebhookReads(services);
  const endpointSecrets = createEndpointSecrets(services.database, secrets);
  const writes = createWebhookWrites(services, { reads, secrets: endpointSecrets });
  const deliveries = createDeliveryWrites(services, reads);
  const overview = createWebhookOverview(services);
  const secretsOf = (ids: readonly string[]): Promise<WebhookSecretRow[][]> => endpointSecrets.ofEndpoints(ids);
  return {
    Query: {
      webhookEndpoints: (_, args, context) => reads.list(context, args),
      webhookEndpoint: (_, { id }, context) => context.load(reads.byId, id),
      webhookDeliveries: (_, args, context) => reads.deliveries(context, args),
      webhookDelivery: (_, { endpointId, id }, context) => reads.delivery(context, endpointId, id),
      webhookOverview: forAdministrators(() => overview.read()),
    },
    Mutation: {
      createWebhookEndpoint: (_, args, context) => writes.create(context, args),
      updateWebhookEndpoint: (_, args, context) => writes.update(context, args),
      deleteWebhookEndpoint: async (_, args, context) => {
        await writes.remove(context, args);
        return { id: args.id, deleted: true };
      },
      disableWebhookEndpoint: (_, args, context) => writes.disable(context, args),
      enableWebhookEndpoint: (_, args, context) => writes.enable(context, args),
      rotateWebhookSecret: (_, args, context) => writes.rotate(context, args),
      testWebhookEndpoint: (_, args, context) => deliveries.test(context, args),
      replayWebhookEvents: (_, args, context) => deliveries.replay(context, args),
      retryWebhookDelivery: (_, args, context) => deliveries.retry(context, args),
    },
    WebhookEndpoint: {
      failingSince: async ({ id }, _, context) => (await context.load(reads.healthOf, id))?.failingSince ?? null,
      lastSuccessAt: async ({ id }, _, context) => (await context.load(reads.healthOf, id))?.lastSuccessAt ?? null,
      secrets: ({ id }, _, context) => context.load(secretsOf, id),
      secret: ({ secret }) => secret ?? null,
      account: forAdministrators(async (_, context, { accountId }) => {
        const account = await context.load(accounts.byId, accountId);
        if (account === null) throw new Error('The account of a webhook endpoint does not exist');
        return account;
      }),
    },
    WebhookOverview: {
      longestFailing: (_, { first }) => overview.longestFailing(first),
    },
    WebhookDelivery: {
      attempts: ({ id }, _, context) => context.load(reads.attemptsOf, id),
    },
    WebhookAttempt: {
      request: async (attempt, _, context) => ((await context.load(canReadExcerpts, attempt)) ? attempt.request : null),
      response: async (attempt, _, context) => ((await context.load(canReadExcerpts, attempt)) ? attempt.response : null),
    },
  } satisfies Resolvers;
}
