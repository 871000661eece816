/** Stops the PostgreSQL of the run and removes its folder. */
import { rm } from 'node:fs/promises';

export default async function teardown() {
  const { folder, postgres } = globalThis.testPostgres;
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
