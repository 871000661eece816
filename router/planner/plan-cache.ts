/** Plans of registered operations on disk: they follow from the supergraph, so what one start has planned the next one reads. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { QueryPlan } from '@apollo/query-planner';

export interface PlanCache {
  get(key: string): QueryPlan | undefined;
  set(key: string, plan: QueryPlan): void;
  /** Writes what was asked for and is new; without a word where nothing can be written. */
  save(): Promise<void>;
}

const { version } = createRequire(import.meta.url)('@apollo/query-planner/package.json') as { readonly version: string };

/** The plans for this supergraph by this version of the planner; a file that cannot be read is no file. */
export function openPlanCache(folder: string, supergraphSdl: string): PlanCache {
  const name = `${createHash('sha256').update(version).update(supergraphSdl).digest('hex')}.json`;
  const asked = new Map<string, QueryPlan>();
  let isNew = false;
  let read: ReadonlyMap<string, QueryPlan> | undefined;

  function kept(): ReadonlyMap<string, QueryPlan> {
    try {
      return new Map(Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, QueryPlan>));
    } catch {
      return new Map();
    }
  }

  async function write(): Promise<void> {
    await mkdir(folder, { recursive: true });
    const draft = join(folder, `${name}.${process.pid}`);
    await writeFile(draft, JSON.stringify(Object.fromEntries(asked)));
    await rename(draft, join(folder, name));
    const others = (await readdir(folder)).filter((other) => other.endsWith('.json') && other !== name);
    await Promise.all(others.map((other) => rm(join(folder, other), { force: true })));
  }

  return {
    get(key) {
      read ??= kept();
      const plan = read.get(key);
      if (plan !== undefined) asked.set(key, plan);
      return plan;
    },
    set(key, plan) {
      isNew = true;
      asked.set(key, plan);
    },
    async save() {
      if (isNew) await write().catch(() => undefined);
      isNew = false;
    },
  };
}
