/** `npm run kubernetes`: writes deploy/kubernetes/base/roles and migrate.yaml from docker-compose.yml: the same roles, ports and variables. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { keyedRoles } from '../wiring/keys.ts';
import { runCommand } from './command.ts';
import { deployment, migrateJob } from './kubernetes/deployment.ts';
import { availability, services } from './kubernetes/services.ts';
import { scales } from './kubernetes/scales.ts';

const base = join(import.meta.dirname, '..', 'deploy', 'kubernetes', 'base');
const header = '# Written by `npm run kubernetes` from docker-compose.yml. Change values in an overlay.\n';

const documents = (objects: readonly object[]): string =>
  header + objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');

/** The text of every written file, by its path in the base. */
export function kubernetesFiles(): Map<string, string> {
  const roles = keyedRoles.map((role) => {
    const scale = scales[role];
    if (scale === undefined) throw new Error(`commands/kubernetes/scales.ts has no row for ${role}.`);
    const objects = [deployment(role, scale), ...services(role), ...availability(role, scale)];
    return [`roles/${role}.yaml`, documents(objects)] as const;
  });
  return new Map([...roles, ['migrate.yaml', documents([migrateJob()])]]);
}

if (import.meta.main) {
  await runCommand(async () => {
    await rm(join(base, 'roles'), { recursive: true, force: true });
    await mkdir(join(base, 'roles'), { recursive: true });
    for (const [path, text] of kubernetesFiles()) await writeFile(join(base, path), text);
  });
}
