/** Alert rules, dashboard and runbooks: complete and consistent. That their metrics exist is tested in stories/operations/observability.test.ts. */
import { expect, test } from '@jest/globals';
import { serviceOf } from '../commands/compose-file.ts';
import { alerts, metricsIn, panels, readText, runbooks, usedMetrics } from './observability-files.ts';

test.each(alerts)(
  'the alert $alert has a page that names it, and a row in the index',
  ({ alert, annotations, labels, ...rule }) => {
    expect(runbooks).toContain(annotations.runbook);
    const page = readText(annotations.runbook);
    expect(page).toContain(`Alert: \`${alert}\``);
    for (const part of ['Symptom', 'Causes', 'Check', 'Fix']) expect(page).toContain(`\n## ${part}\n`);
    expect(page.split('\n').length).toBeLessThan(60);
    const row = `| \`${alert}\``;
    const listed = readText('docs/operations/README.md')
      .split('\n')
      .find((line) => line.startsWith(row));
    expect(listed).toContain(labels.severity);
    expect(listed).toContain(annotations.runbook.replace('docs/operations/', ''));
    expect(rule.for).toMatch(/^\d+m$/);
  },
);

const expressionOf = (name: string): string => alerts.find(({ alert }) => alert === name)?.expr ?? '';

test('rejections of overload raise their alert, not that of errors', () => {
  expect(metricsIn(expressionOf('Overloaded'))).toEqual([
    'platform_overloaded_requests_total',
    'http_server_request_duration_seconds',
  ]);
  // without a rejection there is no series to subtract
  const rejected = /- \(sum\(rate\(platform_overloaded_requests_total\{[^}]*\}\[5m\]\)\) or vector\(0\)\)/g;
  expect(expressionOf('HighErrorRate').match(rejected)).toHaveLength(2);
});

test('the memory alert fires below the limit of the containers', () => {
  const limits = [...readText('docker-compose.yml').matchAll(/cpus: '2', memory: (\d+)G\b/g)].map(([, gib]) => Number(gib));
  const threshold = Number(/> (\S+)$/.exec(expressionOf('MemoryHigh'))?.[1]);
  expect(threshold).toBeLessThan(0.9 * Math.min(...limits) * 2 ** 30);
});

test('processes that are not scraped raise an alert', () => {
  expect(expressionOf('ProcessDown')).toContain('or absent(up{job="talent-platform"})');
});

test.each(runbooks)('the commands of %s reach the platform from the machine of docker compose', (path) => {
  const page = readText(path);
  // PostgreSQL has no published port
  expect(page).not.toContain('npm run doctor');
  for (const [, service = '', file = ''] of page.matchAll(/--entrypoint node .*?(\w+) (commands\/\S+)/g)) {
    expect(serviceOf(service).environment).toMatchObject({ DATABASE_URL: expect.any(String), SECRET: expect.any(String) });
    expect(readText(file)).toContain('/** ');
  }
  if (page.includes('from pg_stat_statements'))
    expect(serviceOf('postgres').command).toContain('shared_preload_libraries=pg_stat_statements');
});

test('every page belongs to an alert', () => {
  expect(alerts.map(({ annotations }) => annotations.runbook).sort()).toEqual([...runbooks].sort());
});

test('every panel of the dashboard has queries', () => {
  expect(panels.length).toBeGreaterThan(20);
  for (const { targets } of panels) expect(targets.length).toBeGreaterThan(0);
});

test('the page about metrics describes every metric of alerts and panels, and every panel has known metrics', () => {
  const page = readText('docs/operations/metrics.md');
  expect(usedMetrics.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(usedMetrics).toContain('platform_consumer_lag_seconds');
});
