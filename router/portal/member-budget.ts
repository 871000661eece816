/**
 * Limits the units of members on the graph of the portal, in memory: a user per minute, and an account and each of its users per day. Requests of the portal do not
 * count against the quota of keys, so that without a limit they would replace a plan.
 */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import { reject, type Rejection } from '../admission/rejection.ts';

export interface MemberLimits {
  /** Units of a user per minute. */
  readonly perMinute: number;
  /** Units of all members of an account per day. */
  readonly perDay: number;
}

/** The part of the units per day that one user can use, so that one member cannot stop the others, such as owners who remove this member. */
const userShare = 0.5;

export const defaultMemberLimits: MemberLimits = { perMinute: 600, perDay: 50_000 };

interface Window {
  used: number;
  readonly endsAt: number;
}

export interface MemberBudget {
  /** Counts units. The rejection (429) if they exceed a limit, otherwise null. */
  consume(userId: string, accountId: string, units: number): Rejection | null;
}

/** Local to the process: the limits multiply by the number of routers. */
export function createMemberBudget({ perMinute, perDay }: MemberLimits = defaultMemberLimits): MemberBudget {
  const minutes = new LRUCache<string, Window>({ max: 10_000 });
  const days = new LRUCache<string, Window>({ max: 10_000 });
  const userDays = new LRUCache<string, Window>({ max: 10_000 });
  const perUser = Math.ceil(perDay * userShare);

  function windowOf(windows: LRUCache<string, Window>, key: string, lengthMs: number): Window {
    const now = performance.now();
    const known = windows.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    const window = { used: 0, endsAt: now + lengthMs };
    windows.set(key, window);
    return window;
  }

  function rejection({ endsAt }: Window, limit: string): Rejection {
    const seconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1000));
    const problem = new Problem('rate_limited', `${limit} Use an API key for data. Retry in ${seconds} s.`);
    return reject(problem, true, { 'retry-after': String(seconds) });
  }

  return {
    consume(userId, accountId, units) {
      const minute = windowOf(minutes, userId, 60_000);
      const day = windowOf(days, accountId, 86_400_000);
      const userDay = windowOf(userDays, `${accountId} ${userId}`, 86_400_000);
      if (minute.used + units > perMinute) return rejection(minute, `A user of the portal has ${perMinute} units per minute.`);
      if (userDay.used + units > perUser)
        return rejection(userDay, `A user of the portal has ${perUser} units per day and account.`);
      if (day.used + units > perDay) return rejection(day, `The members of an account have ${perDay} units per day.`);
      minute.used += units;
      day.used += units;
      userDay.used += units;
      return null;
    },
  };
}
