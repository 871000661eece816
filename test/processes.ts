/** The platform as one process per role, as docker-compose runs it: the same commands and environment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitForSuccess } from '../commands/local-process.ts';
import { createRoleProcesses, keyVariables, type Instances, type RoleProcessesOptions } from '../commands/role-processes.ts';
import { openSecrets } from '../platform/security/secrets.ts';
import type { StripeSettings } from '../schema/billing.ts';
import type { ClonedDatabase } from './database.ts';

/** The variables of .env, as `npm run secrets` creates them from the secret of the test databases. */
export const testVariables = (): Record<string, string> => ({
  ...keyVariables(openSecrets(process.env['TEST_SECRET'] ?? '')),
  TRUST_PROXY: '127.0.0.1',
  LOG_LEVEL: 'error',
  WEBHOOKS_ALLOW_LOCAL: 'true',
  SECURITY_CONTACT: 'mailto:security@example.com',
});

/** Starts the service of every role on free ports. Resolves when every service responds to /health. */
export async function startServices(options: RoleProcessesOptions) {
  const services = await createRoleProcesses(options);
  const { names, url, start, stop } = services;
  try {
    await Promise.all(names.map(start));
    await waitForSuccess(`${url('rest')}/ready`);
  } catch (error) {
    await services.close();
    throw error;
  }
  return {
    restUrl: url('rest'),
    graphqlUrl: url('router'),
    internalUrl: services.internalUrl('router'),
    metricsUrl: services.metricsUrl('rest'),
    routerUrls: names.filter((name) => name.startsWith('router')).map(url),
    processes: { stop, start, url, pids: services.pids() },
    // Commits wake up the relay. Tests wait for its effects.
    settled: () => sleep(600).then(() => undefined),
    close: services.close,
  };
}

export interface ProcessOptions {
  readonly instances: Instances;
  readonly imageFolder: string;
  readonly stripe?: StripeSettings | undefined;
  /** Further variables of .env. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** Starts the services on a clone of the test database. */
export function startProcesses(database: ClonedDatabase, { instances, imageFolder, stripe, variables: given }: ProcessOptions) {
  const variables = stripe && {
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_METER_EVENT_NAME: stripe.eventName,
    STRIPE_API_URL: stripe.url,
  };
  return startServices({
    databaseUrl: database.ownerUrl,
    variables: { ...testVariables(), ...variables, ...given },
    imageFolder,
    instances,
  });
}
