/** Ends the output of a run with the tests that were skipped, because jest itself only counts them. */
import { relative } from 'node:path';

export default class ClosingReporter {
  onRunComplete(_contexts, { testResults }) {
    const skipped = testResults
      .map(({ testFilePath, testResults: tests }) => ({
        file: relative(process.cwd(), testFilePath),
        count: tests.filter(({ status }) => status === 'pending' || status === 'todo').length,
      }))
      .filter(({ count }) => count > 0);
    if (skipped.length === 0) return;
    const programs = { 'redis-server': process.env.TEST_REDIS, haproxy: process.env.TEST_HAPROXY };
    const missing = Object.keys(programs).filter((program) => programs[program] === 'missing');
    const reason = missing.length > 0 ? ` (not installed: ${missing.join(', ')})` : '';
    console.log(`\nNot run${reason}:`);
    for (const { file, count } of skipped) console.log(`  ${count} ${count === 1 ? 'test' : 'tests'} of ${file}`);
  }
}
