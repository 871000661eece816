/** The time that a request takes for its row in the request log and its rollups: in the request, and in the flush. */
import { createUsageCollector } from '../../router/admission/usage/collector.ts';
import { createRequestRows } from '../../router/admission/usage/request-rows.ts';
import type { MeteredRequest } from '../../router/admission/usage/metered-request.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { restApi, routesOf } from '../../wiring/rest-api.ts';
import { median } from '../measure.ts';

export interface Recording {
  /** Microseconds per recorded request, without and with the request log. */
  readonly withoutUs: number;
  readonly withUs: number;
  /** Microseconds per row to build its JSON, in the flush. */
  readonly rowUs: number;
}

const plan = { code: 'pro', burstPerMinute: 900, perDay: 100_000, perMonth: 1_500_000 };
const requestsOfRound = 40_000;
const keys = 200;
const rounds = 15;

function requestOf(index: number, isLogged: boolean): MeteredRequest {
  const viewer: Viewer = {
    kind: 'KEY',
    accountId: '00000000-0000-4000-8000-000000000001',
    keyId: `sp_live_bench${index % keys}`,
    plan: 'pro',
    scopes: [],
    sport: null,
  };
  const operation = index % 3 === 0 ? 'getAthlete' : 'listOrganizations';
  const path = index % 3 === 0 ? '/api/v1/athletes/0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11' : '/api/v1/organizations';
  return {
    requester: { viewer, subject: '00'.repeat(16), plan },
    address: '203.0.113.7',
    requests: 1,
    units: 1,
    usage: null,
    outerUsage: null,
    clockMs: Date.now(),
    status: index % 20 === 0 ? 404 : 200,
    area: 'athletes',
    operation,
    durationMs: index % 300,
    requestId: `request-${index}`,
    ...(isLogged && { line: { method: 'GET', path, userAgent: 'bench/1.0 (a client of the platform)' } }),
    ...(isLogged && index % 20 === 0 && { error: { code: 'not_found', pointers: [] } }),
  };
}

function round(requests: readonly MeteredRequest[]): { readonly recordUs: number; readonly rowUs: number } {
  const collector = createUsageCollector();
  const from = performance.now();
  for (const request of requests) collector.record(request);
  const recordUs = ((performance.now() - from) * 1000) / requests.length;
  const rows = createRequestRows(routesOf(restApi().operations));
  const logged = collector.drain().requests;
  const before = performance.now();
  JSON.stringify(logged.map(rows.logged));
  return { recordUs, rowUs: logged.length === 0 ? 0 : ((performance.now() - before) * 1000) / logged.length };
}

/** Alternates rounds without and with the request log. */
export function measureRecording(): Recording {
  const build = (isLogged: boolean) => Array.from({ length: requestsOfRound }, (_, index) => requestOf(index, isLogged));
  const [plain, logged] = [build(false), build(true)];
  const measured = Array.from({ length: rounds }, () => ({ without: round(plain), with: round(logged) })).slice(3);
  return {
    withoutUs: median(measured.map((each) => each.without.recordUs)),
    withUs: median(measured.map((each) => each.with.recordUs)),
    rowUs: median(measured.map((each) => each.with.rowUs)),
  };
}
