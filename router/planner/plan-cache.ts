/** Caches the query plans of registered operations on disk, so that the next start with the same supergraph reads them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { QueryPlan } from '@apollo/query-planner';

export interface PlanCache {
  get(key: string): QueryPlan | undefined;
  set(key: string, plan: QueryPlan): void;
  /** Writes the plans in use if there are new ones; does nothing when the folder is not writable. */
  save(): Promise<void>;
}

// Cast: every package has a version.
const { version } = createRequire(import.meta.url)('@apollo/query-planner/package.json') as { readonly version: string };

/** The query plans for this supergraph and planner version; an unreadable file counts as empty. */
export function openPlanCache(folder: string, supergraphSdl: string): PlanCache {
  const name = `${createHash('sha256').update(version).update(supergraphSdl).digest('hex')}.json`;
  const used = new Map<string, QueryPlan>();
  let changed = false;
  let stored: ReadonlyMap<string, QueryPlan> | undefined;

  function readFile(): ReadonlyMap<string, QueryPlan> {
    try {
      // Cast: only `write` below writes the file.
      return new Map(Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, QueryPlan>));
    } catch {
      return new Map();
    }
  }

  async function write(): Promise<void> {
    await mkdir(folder, { recursive: true });
    const draft = join(folder, `${name}.${process.pid}`);
    await writeFile(draft, JSON.stringify(Object.fromEntries(used)));
    await rename(draft, join(folder, name));
    const others = (await readdir(folder)).filter((other) => other.endsWith('.json') && other !== name);
    await Promise.all(others.map((other) => rm(join(folder, other), { force: true })));
  }

  return {
    get(key) {
      stored ??= readFile();
      const plan = stored.get(key);
      if (plan !== undefined) used.set(key, plan);
      return plan;
    },
    set(key, plan) {
      changed = true;
      used.set(key, plan);
    },
    async save() {
      if (changed) await write().catch(() => undefined);
      changed = false;
    },
  };
}
