/** The report that jest writes with `--json --outputFile=FILE`: the files that failed, and one report of two runs. */
import { existsSync, readFileSync } from 'node:fs';

type Status = 'passed' | 'failed' | 'pending' | 'todo' | 'skipped' | 'disabled';

/** The members that this project uses (https://jestjs.io/docs/configuration#testresultsprocessor-string). */
export interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  /** Files that failed before their first test. */
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    /** Absolute path of the file. */
    readonly name: string;
    readonly status: Status;
    readonly assertionResults: readonly { readonly status: Status; readonly fullName: string }[];
  }[];
}

const isReport = (value: unknown): value is TestReport =>
  typeof value === 'object' && value !== null && 'testResults' in value && Array.isArray(value.testResults);

/** Reads a report; null when jest ended before it wrote one. */
export function readReport(file: string): TestReport | null {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const report: unknown = text === '' ? null : JSON.parse(text);
  return isReport(report) ? report : null;
}

/** Absolute paths of the files with a failed test, or that failed before their first test. */
export const failedFiles = ({ testResults }: TestReport): string[] =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);

/** Each failed test as `file: name`. */
export const failedTests = ({ testResults }: TestReport): string[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `${name}: ${fullName}`),
  );

/** The report of a run in which some files ran once more: their second results replace the first. */
export function mergeReports(first: TestReport, second: TestReport): TestReport {
  const repeated = new Set(second.testResults.map(({ name }) => name));
  const testResults = [...first.testResults.filter(({ name }) => !repeated.has(name)), ...second.testResults];
  const count = (wanted: Status): number =>
    testResults.reduce((sum, { assertionResults }) => sum + assertionResults.filter(({ status }) => status === wanted).length, 0);
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numRuntimeErrorTestSuites: testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    ).length,
    testResults,
  };
}
