/** Stops the PostgreSQL server of the run and removes its folder. */
import { rm } from 'node:fs/promises';

export default async function teardown() {
  // a run without workers, such as that of a single test file, opened them in this process
  for (const close of (globalThis.sharedResources ?? []).splice(0)) await close();
  const { folder, postgres } = globalThis.testPostgres;
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
