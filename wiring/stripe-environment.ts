/** The environment variables of the Stripe account that receives usage, and the settings derived from them. */
import { readEnvironment, text, url } from '../platform/env.ts';
import type { StripeSettings } from '../schema/billing.ts';

/** Variables of the process that reports usage to Stripe. */
export const stripeVariables = {
  STRIPE_SECRET_KEY: text({
    description: 'secret or restricted key of the Stripe account that receives usage; without it, none is sent',
    secret: true,
  }),
  STRIPE_METER_EVENT_NAME: text({ description: 'event name of the Stripe meter that counts units' }),
  STRIPE_API_URL: url({
    description: 'address of the Stripe API',
    protocols: ['https:', 'http:'],
    default: 'https://api.stripe.com',
  }),
};

/** The Stripe account; null without a key. Throws Error for incomplete or invalid settings. */
export function stripeSettings(source: Readonly<Record<string, string | undefined>>): StripeSettings | null {
  const { STRIPE_SECRET_KEY, STRIPE_METER_EVENT_NAME, STRIPE_API_URL } = readEnvironment(source, stripeVariables);
  if (STRIPE_SECRET_KEY === null) return null;
  // other characters cannot be in a header
  if (!/^[\x21-\x7e]+$/.test(STRIPE_SECRET_KEY)) throw new Error('STRIPE_SECRET_KEY must be a key of Stripe, such as rk_live_….');
  if (STRIPE_METER_EVENT_NAME === null)
    throw new Error('STRIPE_METER_EVENT_NAME is required with STRIPE_SECRET_KEY: the event name of the meter in Stripe.');
  if (STRIPE_METER_EVENT_NAME.length > 100) throw new Error('STRIPE_METER_EVENT_NAME must have at most 100 characters.');
  return { url: STRIPE_API_URL, secretKey: STRIPE_SECRET_KEY, eventName: STRIPE_METER_EVENT_NAME };
}
