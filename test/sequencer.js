/**
 * The order of test files. The longest start first, so that the workers finish at the same time. Files that start many processes are apart
 * from each other: two at once would need more processor time than the machine has.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const cacheFile = join(root, 'node_modules/.cache/test-durations.json');

/** Approximate milliseconds per file where no earlier run was recorded. */
const estimates = [
  [/^test\/(load-balancer|examples\/interrupted-import)/, 120_000],
  [/^test\/(compose-start|commands\/(keys|cluster|secret-rotation|admin)|readme|upgrade)/, 50_000],
  [/^test\/(dashboard|rest-bridge\/openapi|stories\/accounts\/quota|stories\/operations)/, 30_000],
  [/^test\/(examples|plans|stories|clients|architecture|router\/planner)/, 6_000],
];

/** Files that start a process per role, or a whole installation. */
const startsProcesses = (path) =>
  /separate processes|startServices|createRoleProcesses|'commands\/cluster\.ts'|\['main\.ts'/.test(readFileSync(path, 'utf8'));

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
    const timed = tests.map((test) => ({ test, ms: this.#estimate(test.path), isHeavy: startsProcesses(test.path) }));
    const longestFirst = timed.toSorted((a, b) => b.ms - a.ms);
    const others = longestFirst.filter(({ isHeavy }) => !isHeavy);
    const sorted = [];
    for (const heavy of longestFirst.filter(({ isHeavy }) => isHeavy)) {
      sorted.push(heavy);
      // the other worker runs these meanwhile
      for (let left = heavy.ms; left > 0 && others.length > 0;) {
        const next = others.shift();
        sorted.push(next);
        left -= next.ms;
      }
    }
    return [...sorted, ...others].map(({ test }) => test);
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
