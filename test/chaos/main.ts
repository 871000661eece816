/** `npm run chaos`: injects faults into a cluster under load, and verifies that nothing acknowledged was lost. */
import { parseArgs } from 'node:util';
import { runCommand, whole } from '../../commands/command.ts';
import { align } from '../../commands/markdown-table.ts';
import { runChaos, type ChaosResult } from './run.ts';

const help = `Usage: npm run chaos [-- OPTIONS]

Starts two processes of each role with PostgreSQL and Redis behind TCP proxies. Under a mixed load of REST, GraphQL, writes, a stream and
webhooks it kills and pauses each role, kills, cuts, holds, slows and resets the dependencies, and fills the disk of PostgreSQL. At the
end it compares every acknowledged write, event, delivery and admitted request with the platform. Needs redis-server, and root to
mount the small disk.

  --rounds N   how often each fault is injected; default 1
  --only TEXT  only the faults whose name contains the text, such as "kill" or "PostgreSQL"

Exit codes: 0 all guarantees held, 1 a violation or a recovery of more than 10 s, 2 wrong usage.`;

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
  const countRows = [...ledger.counts].map(([kind, { succeeded, failed }]) => [
    kind,
    String(succeeded),
    [...failed].map(([reason, count]) => `${reason}: ${count}`).join(', '),
  ]);
  console.log(`\n${align([['requests', 'succeeded', 'failed'], ...countRows])}`);
  for (const violation of checks.flatMap(({ violations }) => violations.slice(0, shownMax))) console.error(violation);
}

await runCommand(async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const result = await runChaos({
    rounds: whole('rounds', values.rounds, 1, 1_000),
    only: values.only,
    report: (line) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`),
  });
  printResult(result);
  const violations = result.checks.reduce((total, each) => total + each.violations.length, 0);
  const slow = result.faults.filter(({ recoveryMs }) => recoveryMs === null || recoveryMs > recoveryMaxMs);
  if (violations > 0 || slow.length > 0)
    throw new Error(`${violations} violations; recovery above 10 s: ${slow.map(({ name }) => name).join(', ') || 'none'}.`);
});
