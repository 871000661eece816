/** Limits the registrations of a network: few completed ones, and more attempts, so that a person can correct an input. */
import { createNetworkLimit, type NetworkLimit } from '../administration/network-limit.ts';

/** Completed registrations per network and hour. */
const completedPerHour = { max: 5, windowMs: 3_600_000 };

/** Attempts per network and hour. An attempt reveals whether an address has a user. */
const attemptsPerHour = { max: 30, windowMs: 3_600_000 };

export interface RegistrationLimit {
  /** Counts attempts, for a check before the body is read. */
  readonly attempts: NetworkLimit;
  /** Runs a registration, which counts unless it fails. Throws Problem rate_limited (429). */
  run<Result>(address: string, register: () => Promise<Result>): Promise<Result>;
}

/** Local to the process: the limits multiply by the number of routers. */
export function createRegistrationLimit(): RegistrationLimit {
  const completed = createNetworkLimit(completedPerHour);
  return {
    attempts: createNetworkLimit(attemptsPerHour),
    async run(address, register) {
      // before it completes, so that concurrent ones do not exceed the limit
      completed.check(address);
      try {
        return await register();
      } catch (error) {
        completed.release(address);
        throw error;
      }
    },
  };
}
