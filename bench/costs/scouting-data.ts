/** Waits until the platform has projected all athletes and opportunities into scouting's tables and scored them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, sql } from '../../platform/database/database.ts';
import { areaRole, roleUrl } from '../../platform/database/roles.ts';
import { openSecrets } from '../../platform/security/secrets.ts';
import type { BenchDatabase } from '../database.ts';

/** Resolves when no sweep and no renewal of cohorts is left. */
export async function fillScouting(
  { ownerUrl, secret }: Pick<BenchDatabase, 'ownerUrl' | 'secret'>,
  report: (line: string) => void,
): Promise<void> {
  const url = roleUrl(ownerUrl, areaRole('scouting'), openSecrets(secret));
  const database = openDatabase({ url, name: 'bench-costs', poolSize: 1 });
  try {
    for (let turn = 0; ; turn += 1) {
      const [left] = await database.query<{ sweeps: number; due: number }>(sql`/* bench.left */
        select (select count(*)::int from projection_sweep) as sweeps, (select count(*)::int from cohort_due) as due`);
      if (left === undefined || left.sweeps + left.due === 0) return;
      if (turn % 30 === 29) report(`Filling: ${left.sweeps} sweeps and ${left.due} sports left.`);
      await sleep(1_000);
    }
  } finally {
    await database.close();
  }
}
