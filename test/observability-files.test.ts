/** Alert rules, dashboard and runbooks: complete and consistent. That their metrics exist is tested in stories/operations/observability.test.ts. */
import { expect, test } from '@jest/globals';
import { alerts, panels, readText, runbooks, usedMetrics } from './observability-files.ts';

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
