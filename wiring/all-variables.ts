/** The environment variables of all roles. */
import { billingVariables } from './billing-environment.ts';
import {
  processVariables,
  dataVariables,
  publicServerVariables,
  imageVariables,
  webhookVariables,
  routerVariables,
  peerVariables,
  seedVariables,
} from './environment.ts';
import { observabilityVariables } from './observability-environment.ts';
import { oidcVariables } from './oidc-environment.ts';
import { portalVariables } from './portal-environment.ts';
import { stripeVariables } from './stripe-environment.ts';

/** The variables of all roles. */
export const allVariables = {
  ...processVariables,
  ...dataVariables,
  ...publicServerVariables,
  ...imageVariables,
  ...webhookVariables,
  ...oidcVariables,
  ...billingVariables,
  ...stripeVariables,
  ...portalVariables,
  ...routerVariables,
  ...observabilityVariables,
  ...peerVariables,
  ...seedVariables,
};
