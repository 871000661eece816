/** Parts of the status page: the data that it shows, the bars of components and the entries of incidents. */
import { isOneOf, isRecord, keysOf } from '../../schema/records.ts';
import { escape } from './html.ts';

type ComponentStatus = 'OPERATIONAL' | 'MAINTENANCE' | 'DEGRADED' | 'OUTAGE' | 'UNKNOWN';

interface Day {
  readonly day: string;
  readonly availabilityPercent: number;
  readonly checks: number;
}

interface Component {
  readonly name: string;
  readonly title: string;
  readonly status: ComponentStatus;
  readonly availabilityPercent: number | null;
  readonly days: readonly Day[];
}

export interface Status {
  readonly status: ComponentStatus;
  readonly checkedAt: string | null;
  readonly components: readonly Component[];
}

export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly impact: string;
  readonly status: string;
  readonly components: readonly string[];
  readonly startedAt: string;
  readonly endsAt: string | null;
  readonly resolvedAt: string | null;
  readonly updatedAt: string;
  readonly updates: readonly { readonly at: string; readonly status: string; readonly text: string }[];
}

/** The statuses as texts, of the platform and of a component. */
export const statusTitles: Readonly<Record<ComponentStatus, { readonly platform: string; readonly component: string }>> = {
  OPERATIONAL: { platform: 'All components are operational.', component: 'Operational' },
  MAINTENANCE: { platform: 'Maintenance is in progress.', component: 'Maintenance' },
  DEGRADED: { platform: 'Some components are slow or partly available.', component: 'Degraded' },
  OUTAGE: { platform: 'Some components are unavailable.', component: 'Outage' },
  UNKNOWN: { platform: 'Some components were not checked for three minutes, so their status is unknown.', component: 'Unknown' },
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const statusNames = keysOf(statusTitles);
const componentStatus = (value: unknown): ComponentStatus => (isOneOf(statusNames, value) ? value : 'UNKNOWN');

/** What the page shows of a response of `getStatus`. */
export const statusOf = (data: Readonly<Record<string, unknown>>): Status => ({
  status: componentStatus(data['status']),
  checkedAt: textOrNull(data['checkedAt']),
  components: records(data['components']).map((each) => ({
    name: text(each['name']),
    title: text(each['title']),
    status: componentStatus(each['status']),
    availabilityPercent: typeof each['availabilityPercent'] === 'number' ? each['availabilityPercent'] : null,
    days: records(each['days']).map((day) => ({
      day: text(day['day']),
      availabilityPercent: Number(day['availabilityPercent']),
      checks: Number(day['checks']),
    })),
  })),
});

/** What the page shows of the `data` of a response of `listIncidents`. */
export const incidentsOf = (data: unknown): Incident[] =>
  records(data).map((each) => ({
    id: text(each['id']),
    title: text(each['title']),
    impact: text(each['impact']),
    status: text(each['status']),
    components: Array.isArray(each['components']) ? each['components'].map(text) : [],
    startedAt: text(each['startedAt']),
    endsAt: textOrNull(each['endsAt']),
    resolvedAt: textOrNull(each['resolvedAt']),
    updatedAt: text(each['updatedAt']),
    updates: records(each['updates']).map(({ at, status, text: body }) => ({
      at: text(at),
      status: text(status),
      text: text(body),
    })),
  }));

const days = 90;
const barWidth = 6;
const barHeight = 28;

/** The class of a day: two failed minutes of a day are 99.86 %. */
const classOf = ({ availabilityPercent }: Day): string =>
  availabilityPercent >= 99.95 ? 'operational' : availabilityPercent >= 99 ? 'degraded' : 'outage';

/** A component with a bar for each of the last 90 days; days without a check are gray. */
export function componentBars({ title, status, availabilityPercent, days: checked }: Component): string {
  const byDay = new Map(checked.map((each) => [each.day, each]));
  const todayMs = Date.now();
  const bars = Array.from({ length: days }, (_, index) => {
    const day = new Date(todayMs - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    const found = byDay.get(day);
    const tip = found === undefined ? `${day}: no checks` : `${day}: ${found.availabilityPercent} % of ${found.checks} checks`;
    return `<rect class="${found === undefined ? 'unknown' : classOf(found)}" x="${index * barWidth}" width="${barWidth - 2}" height="${barHeight}"><title>${tip}</title></rect>`;
  });
  const share = checked.length < days ? `, checked on ${checked.length}` : '';
  const percent = availabilityPercent === null ? 'No checks yet' : `${availabilityPercent} % in ${days} days${share}`;
  return `<li><p><strong>${escape(title)}</strong> <span class="state ${status.toLowerCase()}">${statusTitles[status].component}</span></p>
<svg role="img" aria-label="${escape(`${title}: ${percent}`)}" viewBox="0 0 ${days * barWidth} ${barHeight}" preserveAspectRatio="none">${bars.join('')}</svg>
<p><small>${percent}</small></p></li>`;
}

/** A time as HTML. */
export const timeOf = (at: string): string =>
  `<time datetime="${escape(at)}">${escape(`${at.slice(0, 16).replace('T', ' ')} UTC`)}</time>`;

const words = (name: string): string => {
  const lower = name.toLowerCase().replaceAll('_', ' ');
  return lower.charAt(0).toUpperCase() + lower.slice(1);
};

const paragraphs = (body: string): string =>
  body
    .split(/\n{2,}/)
    .map((each) => `<p>${escape(each)}</p>`)
    .join('');

/** An incident with its updates. @param titleOf the title of a component by its name */
export function incidentEntry(incident: Incident, titleOf: (name: string) => string): string {
  const { id, title, impact, status, components, startedAt, endsAt, resolvedAt, updates } = incident;
  const period = resolvedAt === null ? (endsAt === null ? '' : ` to ${timeOf(endsAt)}`) : ` to ${timeOf(resolvedAt)}`;
  return `<article id="${escape(id)}">
<h3>${escape(title)}</h3>
<p><small>${escape(words(impact))} · ${escape(words(status))} · ${timeOf(startedAt)}${period} · ${components.map((each) => escape(titleOf(each))).join(', ')}</small></p>
${updates.map((each) => `<div><p><strong>${escape(words(each.status))}</strong> <small>${timeOf(each.at)}</small></p>${paragraphs(each.text)}</div>`).join('\n')}
</article>`;
}
