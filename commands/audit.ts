/** `npm run audit -- verify`: proves with the signed digests that the audit logs were not altered. */
import './production.ts';
import { parseArgs } from 'node:util';
import { describe } from '../platform/env.ts';
import { auditPurpose } from '../platform/events/audit-digest.ts';
import { historyLog, verifyLog, type AuditReport } from '../platform/events/audit-verification.ts';
import { validKeys } from '../platform/security/secrets.ts';
import { areas } from '../schema/areas.ts';
import { accessLog } from '../subgraphs/athletes/consents/audited-accesses.ts';
import { dataVariables } from '../wiring/environment.ts';
import { runCommand, UsageError } from './command.ts';
import { tableOf } from './key-texts.ts';
import { openPlatform } from './platform.ts';

const help = `Usage: npm run audit -- verify [--expect DIGEST]...

Compares the history of every area and the access log of minors with their signed digests, which the relay writes every hour.
Names the first altered, missing or inserted row of each log. Erased rows are counted, and reported only without a record of the erasure.
Rows after the last digest are not proven yet: the next digest covers them.

--expect DIGEST  fails unless a log has this digest; take digests from an earlier run or from the log message
                 \`audit digest written\` to prove that the last digests and their rows were not deleted

The platform must be running (npm start), or DATABASE_URL and SECRET must name its database.
${describe({
  DATABASE_URL: dataVariables.DATABASE_URL,
  SECRET: dataVariables.SECRET,
  DATA_DIRECTORY: dataVariables.DATA_DIRECTORY,
})}

Exit codes: 0 not altered, 1 altered or failed, 2 wrong usage.`;

const rowOf = ({ log, digests, rows, erased, uncovered, head, finding }: AuditReport): string[] => [
  log,
  finding === null ? 'ok' : 'ALTERED',
  String(digests),
  String(rows),
  String(erased),
  String(uncovered),
  head ?? '-',
];

/** Verifies all logs of the platform, one area after the other. */
async function verifyAll(): Promise<AuditReport[]> {
  const platform = await openPlatform(process.env);
  try {
    const keys = validKeys(platform.secrets, auditPurpose);
    const reports: AuditReport[] = [];
    for (const log of [...areas.map(historyLog), accessLog])
      reports.push(await verifyLog(await platform.areaDatabase(log.area), log, keys));
    return reports;
  } finally {
    await platform.close();
  }
}

await runCommand(async (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, expect: { type: 'string', multiple: true } },
  });
  if (values.help) return console.log(help);
  if (positionals.join(' ') !== 'verify') throw new UsageError('The only command is `verify`.');
  const expected = values.expect ?? [];
  const malformed = expected.find((digest) => !/^[0-9a-f]{64}$/.test(digest));
  if (malformed !== undefined) throw new UsageError('--expect must be a digest of 64 hexadecimal digits.');
  const reports = await verifyAll();
  console.log(tableOf(['log', 'result', 'digests', 'rows', 'erased', 'not covered', 'last digest'], reports.map(rowOf)));
  const known = new Set(reports.flatMap(({ chain }) => chain));
  const findings = reports.flatMap(({ finding }) => finding ?? []);
  for (const { log, number, detail } of findings) console.error(`${log}, digest ${number}: ${detail}.`);
  const missing = expected.filter((digest) => !known.has(digest));
  for (const digest of missing) console.error(`No log has the digest ${digest}.`);
  if (findings.length > 0 || missing.length > 0) throw new Error('The audit log was altered.');
});
