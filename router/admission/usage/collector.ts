/** Counts requests in memory by minute and outcome until they are flushed: one or two map lookups per request. */
import { areas, type Area } from '../../../schema/areas.ts';
import type { Subject, Usage } from '../quota/store.ts';
import type { MeteredRequest, Requester } from './metered-request.ts';
import { createOperationCounts, type OperationRow } from './operation-counts.ts';
import { createRecentRequests, type RecentRequestsOfKey } from './recent-requests.ts';
import { createRequestLog, isKeyed, type KeyedRequest } from './request-log.ts';

/** One row of the rollups; `lineage`, `account` and `key` are null without a key. */
export interface UsageRow {
  /** First second of the minute, in seconds since 1970. */
  readonly minute: number;
  readonly lineage: string | null;
  readonly account: string | null;
  readonly key: string | null;
  readonly plan: string | null;
  readonly area: Area | null;
  readonly sport: string | null;
  /** Status class, 2 to 5. */
  readonly status: number;
  requests: number;
  units: number;
}

/** The usage of a subject in a day and its month. */
export interface SubjectUsage {
  readonly subject: Subject;
  key: string | null;
  readonly day: string;
  dayUnits: number;
  /** The highest count that the store reported. */
  dayCounted: number;
  readonly month: string;
  monthUnits: number;
  monthCounted: number;
  perDay: number;
  perMonth: number;
}

/** Time and address of the last use of a key. */
export interface KeyUse {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly address: string;
}

export interface Collected {
  readonly rows: readonly UsageRow[];
  readonly subjects: readonly SubjectUsage[];
  readonly keys: readonly KeyUse[];
  readonly recent: readonly RecentRequestsOfKey[];
  /** Requests of keys for the request log. */
  readonly requests: readonly KeyedRequest[];
  readonly operations: readonly OperationRow[];
}

export interface UsageCollector {
  record(request: MeteredRequest): void;
  /** Returns and removes everything recorded since the last call. */
  drain(): Collected;
  /** Requests since the last call that were dropped because the collector was full. */
  drainLostCount(): number;
  /** The same for requests that only the request log and its rollups lack. */
  drainUnloggedCount(): number;
}

const minuteMs = 60_000;
/** Distinct rows, subjects and keys at most: about 30 MB during a long outage of the database. */
const maximum = 100_000;
/** Rows of the request log at most: about 30 MB more. */
const loggedMax = 50_000;

const areaNumbers = new Map<Area | null, number>([null, ...areas].map((area, number) => [area, number]));

/** The requests of one key under one pricing plan, or of all anonymous callers. */
interface Track {
  readonly key: string | null;
  readonly plan: string | null;
  readonly sport: string | null;
  /** By minute, area and status class, packed into one number: no string is allocated per request. */
  readonly rows: Map<number, UsageRow>;
  usedAt: number;
  address: string;
}

/** @param max lower in tests only. */
export function createUsageCollector(max = maximum): UsageCollector {
  const recent = createRecentRequests();
  const requestLog = createRequestLog(Math.min(max, loggedMax));
  const operations = createOperationCounts(Math.min(max, loggedMax));
  let tracks = new Map<string, Track>();
  let subjects = new Map<string, SubjectUsage>();
  let rowCount = 0;
  let lost = 0;

  function trackOf(key: string | null, plan: string | null, sport: string | null): Track {
    let name = key ?? '';
    let track = tracks.get(name);
    if (track !== undefined && (track.plan !== plan || track.sport !== sport)) {
      name = `${name} ${plan} ${sport}`;
      track = tracks.get(name);
    }
    if (track === undefined) {
      track = { key, plan, sport, rows: new Map(), usedAt: 0, address: '' };
      tracks.set(name, track);
    }
    return track;
  }

  function countRow(track: Track, { requester, requests, units, clockMs, status, area }: MeteredRequest): void {
    const minute = Math.floor(clockMs / minuteMs);
    const outcome = status >= 200 && status < 600 ? Math.floor(status / 100) : 5;
    const position = (minute * 16 + (areaNumbers.get(area) ?? 0)) * 8 + outcome;
    const row = track.rows.get(position);
    if (row !== undefined) {
      row.requests += requests;
      row.units += units;
    } else if (rowCount >= max) {
      lost += requests;
    } else {
      const { key, plan, sport } = track;
      const lineage = key === null || requester === null ? null : requester.subject;
      const account = requester?.viewer.accountId ?? null;
      const fresh = { minute: minute * 60, lineage, account, key, plan, area, sport, status: outcome, requests, units };
      track.rows.set(position, fresh);
      rowCount += 1;
    }
  }

  function countSubject(subject: Subject, { viewer, plan }: Requester, usage: Usage, units: number): void {
    const { day, month } = usage;
    let name: string = subject;
    let use = subjects.get(name);
    if (use !== undefined && use.day !== day) {
      // around midnight, requests of both days are settled
      name = `${subject} ${day}`;
      use = subjects.get(name);
    }
    if (use === undefined) {
      if (subjects.size >= max) return;
      const { perDay, perMonth } = plan;
      const key = viewer.keyId;
      use = { subject, key, day, dayUnits: 0, dayCounted: 0, month, monthUnits: 0, monthCounted: 0, perDay, perMonth };
      subjects.set(name, use);
    }
    use.dayUnits += units;
    use.monthUnits += units;
    if (usage.dayUsed > use.dayCounted) use.dayCounted = usage.dayUsed;
    if (usage.monthUsed > use.monthCounted) use.monthCounted = usage.monthUsed;
    use.key = viewer.keyId;
    use.perDay = plan.perDay;
    use.perMonth = plan.perMonth;
  }

  /** Counts a request in the windows of its holder and of the outer network. */
  function countSubjects(requester: Requester, { usage, outerUsage, units }: MeteredRequest): void {
    if (usage !== null) countSubject(requester.subject, requester, usage, units);
    if (requester.outer && outerUsage !== null) countSubject(requester.outer.subject, requester, outerUsage, units);
  }

  /** Records a request of a key in the request log and its rollups. */
  function logRequest(request: MeteredRequest): void {
    if (!isKeyed(request)) return;
    requestLog.add(request);
    operations.count(request);
  }

  return {
    record(request) {
      const { requester, requests, units, address, clockMs } = request;
      const viewer = requester?.viewer;
      const track = trackOf(viewer?.keyId ?? null, requester?.plan.code ?? null, viewer?.sport ?? null);
      if (requests > 0 || units > 0) countRow(track, request);
      if (clockMs >= track.usedAt) {
        track.usedAt = clockMs;
        track.address = address;
      }
      if (requests > 0) logRequest(request);
      if (requester === null) return;
      if (track.key !== null && requests > 0) {
        const { operation, area, status, durationMs, requestId } = request;
        recent.add(track.key, { at: clockMs, operation, area, status, durationMs, requestId });
      }
      countSubjects(requester, request);
    },
    drain() {
      const all = [...tracks.values()];
      const collected = {
        rows: all.flatMap(({ rows }) => [...rows.values()]),
        subjects: [...subjects.values()],
        keys: all.flatMap(({ key, usedAt, address }) => (key === null ? [] : [{ key, at: usedAt, address }])),
        recent: recent.drain(),
        requests: requestLog.drain(),
        operations: operations.drain(),
      };
      tracks = new Map();
      subjects = new Map();
      rowCount = 0;
      return collected;
    },
    drainLostCount() {
      const before = lost;
      lost = 0;
      return before;
    },
    drainUnloggedCount: () => requestLog.drainLostCount() + operations.drainLostCount(),
  };
}
