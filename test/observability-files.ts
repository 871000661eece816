/** The alert rules and the dashboard of deploy/observability, and the metrics that they use. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

// Cast: the files are ours; the test checks the members that it uses.
const rules = parse(readText('deploy/observability/alerts.yml')) as { groups: readonly { rules: readonly Alert[] }[] };
const dashboard = JSON.parse(readText('deploy/observability/dashboard.json')) as { panels: readonly Panel[] };

export const alerts: readonly Alert[] = rules.groups.flatMap((group) => group.rules);
export const panels: readonly Panel[] = dashboard.panels;
export const runbooks: readonly string[] = readdirSync(join(root, 'docs/operations/runbooks')).map(
  (file) => `docs/operations/runbooks/${file}`,
);

const functions = new Set(['sum', 'rate', 'max', 'by', 'le', 'histogram_quantile', 'topk', 'absent', 'and']);

/** The names of metrics in an expression of Prometheus, as `# TYPE` names them. Not `up`, a metric of Prometheus itself. */
export function metricsIn(expression: string): string[] {
  const plain = expression.replaceAll(/\{[^}]*\}|by \([^)]*\)|\[[^\]]*\]/g, ' ');
  return [...plain.matchAll(/[a-z][a-z0-9_]+/g)]
    .map(([name]) => name)
    .filter((name) => name.includes('_') && !functions.has(name))
    .map((name) => (name.startsWith('process_') ? name : name.replace(/_(?:bucket|count|sum)$/, '')));
}

const bases = (name: string): string => (name === 'db_client_connection' ? 'db_client_connection_count' : name);

/** Every metric of the alerts and the dashboard. */
export const usedMetrics: readonly string[] = [
  ...new Set([...alerts, ...panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) => metricsIn(expr)).map(bases)),
];
