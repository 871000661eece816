/** `npm run chaos`: injects faults into a cluster under load, and verifies that nothing acknowledged was lost. */
import { parseArgs } from 'node:util';
import { runCommand, whole } from '../../commands/command.ts';
import { align } from '../../commands/markdown-table.ts';
import type { Ledger } from './ledger.ts';
import { runChaos, type ChaosResult } from './run.ts';
import { runSoak, type Series, type SoakResult } from './soak.ts';

const help = `Usage: npm run chaos [-- OPTIONS]

Starts two processes of each role with PostgreSQL and Redis behind TCP proxies. Under a mixed load of REST, GraphQL, writes, a stream and
webhooks it kills and pauses each role, kills, cuts, holds, slows and resets the dependencies, and fills the disk of PostgreSQL. At the
end it compares every acknowledged write, event, delivery and admitted request with the platform. Needs redis-server, and root to
mount the small disk.

  --rounds N   how often each fault is injected; default 1
  --only TEXT  only the faults whose name contains the text, such as "kill" or "PostgreSQL"
  --restart    no faults: restarts every process behind HAProxy, which must be installed; fails when a request fails
  --soak N     no faults: N minutes at 70 % of the measured capacity, and the growth of memory, open files, connections and lag

Exit codes: 0 all guarantees held, 1 a violation, a recovery of more than 10 s, a request that failed during restarts, or a growth of
more than a tenth, 2 wrong usage.`;

const recoveryMaxMs = 10_000;
const shownMax = 20;

function printResult({ faults, checks, ledger }: ChaosResult): void {
  const seconds = (milliseconds: number | null): string => (milliseconds === null ? 'none' : (milliseconds / 1_000).toFixed(1));
  const faultRows = faults.map(({ name, requests, failed, recoveryMs }) => [
    name,
    String(requests),
    String(failed),
    seconds(recoveryMs),
  ]);
  console.log(align([['fault', 'requests', 'failed', 'recovery s'], ...faultRows]));
  const checkRows = checks.map(({ check, checked, violations }) => [check, String(checked), String(violations.length)]);
  console.log(`\n${align([['verified', 'number', 'violations'], ...checkRows])}`);
  printCounts(ledger);
  for (const violation of checks.flatMap(({ violations }) => violations.slice(0, shownMax))) console.error(violation);
}

function printCounts(ledger: Ledger): void {
  const countRows = [...ledger.counts].map(([kind, { succeeded, failed }]) => [
    kind,
    String(succeeded),
    [...failed].map(([reason, count]) => `${reason}: ${count}`).join(', '),
  ]);
  console.log(`\n${align([['requests', 'succeeded', 'failed'], ...countRows])}`);
}

/** Growth below this amount is noise of the garbage collector and of pools. */
const slack = 30;

const hasGrown = ({ before, after }: Series): boolean => after > before * 1.1 + slack;

function printSoak({ capacityPerSecond, ratePerSecond, series, ledger }: SoakResult): void {
  console.log(`Capacity ${capacityPerSecond.toFixed(0)}, rate ${ratePerSecond.toFixed(0)} requests per second.`);
  const rows = series.map((each) => [
    each.name,
    each.unit,
    each.before.toFixed(1),
    each.after.toFixed(1),
    hasGrown(each) ? 'GREW' : 'none',
  ]);
  console.log(align([['value', 'unit', 'second quarter', 'last quarter', 'growth'], ...rows]));
  printCounts(ledger);
}

await runCommand(async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      restart: { type: 'boolean', default: false },
      soak: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const report = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
  await using resources = new AsyncDisposableStack();
  // PostgreSQL is detached: without this it would outlive an interrupted run
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void resources.disposeAsync().finally(() => process.exit(1)));
  const minutes = whole('soak', values.soak, 0, 10_000);
  if (minutes > 0) {
    const soak = await runSoak({ minutes, report, resources });
    printSoak(soak);
    if (soak.series.some(hasGrown)) throw new Error('A value has grown by more than a tenth.');
    return;
  }
  const rounds = whole('rounds', values.rounds, 1, 1_000);
  const result = await runChaos({ rounds, only: values.only, isRolling: values.restart, report, resources });
  printResult(result);
  const { failed } = result.ledger.totals();
  if (values.restart && failed > 0) throw new Error(`${failed} requests failed during the restarts.`);
  const violations = result.checks.reduce((total, each) => total + each.violations.length, 0);
  const slow = result.faults.filter(({ recoveryMs }) => recoveryMs === null || recoveryMs > recoveryMaxMs);
  if (violations > 0 || slow.length > 0)
    throw new Error(`${violations} violations; recovery above 10 s: ${slow.map(({ name }) => name).join(', ') || 'none'}.`);
});
