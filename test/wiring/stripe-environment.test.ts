/** The settings of the Stripe account: complete, valid, and without the key in error messages. */
import { describe, expect, test } from '@jest/globals';
import { describe as describeVariables } from '../../platform/env.ts';
import { stripeSettings, stripeVariables } from '../../wiring/stripe-environment.ts';

const complete = { STRIPE_SECRET_KEY: 'rk_live_secret', STRIPE_METER_EVENT_NAME: 'api_units' };

describe('the Stripe account', () => {
  test('is absent without a key', () => {
    expect(stripeSettings({})).toBeNull();
    expect(stripeSettings({ STRIPE_METER_EVENT_NAME: 'api_units' })).toBeNull();
  });

  test('is at the API of Stripe, unless another address is set', () => {
    expect(stripeSettings(complete)).toEqual({
      url: 'https://api.stripe.com',
      secretKey: 'rk_live_secret',
      eventName: 'api_units',
    });
    expect(stripeSettings({ ...complete, STRIPE_API_URL: 'http://127.0.0.1:1' })?.url).toBe('http://127.0.0.1:1');
  });

  test.each([
    ['STRIPE_METER_EVENT_NAME', { STRIPE_METER_EVENT_NAME: '' }],
    ['STRIPE_METER_EVENT_NAME', { STRIPE_METER_EVENT_NAME: 'a'.repeat(101) }],
    ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'rk_live_secret\nx-other: 1' }],
    ['STRIPE_API_URL', { STRIPE_API_URL: 'ftp://api.stripe.com' }],
  ])('is rejected for an invalid %s, without the key in the message', (name, change) => {
    const read = (): unknown => stripeSettings({ ...complete, ...change });
    expect(read).toThrow(name);
    expect(read).not.toThrow('rk_live_secret');
  });

  test('is listed in the help without its value', () => {
    expect(describeVariables(stripeVariables)).toContain('STRIPE_SECRET_KEY');
  });
});
