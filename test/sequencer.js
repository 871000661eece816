/** Starts the longest test files first, so that the workers finish at the same time. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const cacheFile = join(root, 'node_modules/.cache/test-durations.json');

/** Approximate milliseconds per file where no earlier run was recorded. */
const estimates = [
  [/^test\/(bench\.test|compose-start|stories\/operations\/process-gone|examples\/interrupted-import|commands\/keys)/, 40_000],
  [/^test\/(dashboard|commands\/admin|rest-bridge\/openapi|stories\/accounts\/quota|stories\/operations)/, 25_000],
  [/^test\/(examples|plans|stories|clients|readme|architecture|router\/planner)/, 10_000],
];

function readDurations() {
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8'));
  } catch {
    return {};
  }
}

export default class LongestFirst {
  #durations = readDurations();

  #estimate(path) {
    const name = relative(root, path);
    const estimate = estimates.find(([pattern]) => pattern.test(name))?.[1] ?? 0;
    return this.#durations[name] ?? estimate + statSync(path).size / 100;
  }

  sort(tests) {
    return tests.toSorted((a, b) => this.#estimate(b.path) - this.#estimate(a.path));
  }

  shard(tests, { shardIndex, shardCount }) {
    const paths = tests.map(({ path }) => path).toSorted();
    return tests.filter(({ path }) => paths.indexOf(path) % shardCount === shardIndex - 1);
  }

  /** Runs failed tests only (`--onlyFailures`); failures are not recorded. */
  allFailedTests(tests) {
    return tests;
  }

  cacheResults(_tests, { testResults }) {
    const durations = { ...readDurations() };
    for (const { testFilePath, perfStats } of testResults)
      if (perfStats.runtime > 0) durations[relative(root, testFilePath)] = perfStats.runtime;
    mkdirSync(dirname(cacheFile), { recursive: true });
    writeFileSync(cacheFile, JSON.stringify(durations));
  }
}
