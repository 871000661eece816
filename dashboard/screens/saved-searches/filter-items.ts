/** The filter of a saved search in words: "Age, at most" is "20". */
import { enumLabel } from '../../components/enum-label.ts';

/** Filters whose names do not say what they select. */
const labels: Readonly<Record<string, string>> = {
  ids: 'IDs',
  q: 'Text',
  contractUntil: 'Contract ends by',
  mine: 'Own only',
  externalId: 'External ID',
  organizationId: 'Organization ID',
};

/** `heightCmMin` is "Height (cm), at least". */
function labelOf(name: string): string {
  const known = labels[name];
  if (known !== undefined) return known;
  const [, smallest, core = name, limit] = /^(min(?=[A-Z]))?(.+?)(Min|Max)?$/.exec(name) ?? [];
  const [, words = core, unit] = /^(.+?)(Cm|Km)?$/.exec(core) ?? [];
  const label = enumLabel(words.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`));
  const suffix = limit === 'Max' ? ', at most' : smallest !== undefined || limit === 'Min' ? ', at least' : '';
  return `${label}${unit === undefined ? '' : ` (${unit.toLowerCase()})`}${suffix}`;
}

const comparisons: Readonly<Record<string, string>> = { gte: 'at least', lte: 'at most' };
const bases: Readonly<Record<string, string>> = { perMatch: ' per match', per90: ' per 90 minutes', percentile: ' (percentile)' };

/** `goals:gte:0.5:perMatch` is "goals at least 0.5 per match". */
function thresholdLabel(threshold: string): string {
  const [metric, comparison = '', value, basis = ''] = threshold.split(':');
  return `${metric} ${comparisons[comparison] ?? comparison} ${value}${bases[basis] ?? ''}`;
}

/** Codes of up to three letters, such as positions and countries, are not translated to labels. */
const isEnumValue = (value: string): boolean => /^[A-Z][A-Z_]{3,}$/.test(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function itemLabel(name: string, item: unknown): string {
  const text = textOf(item);
  if (name === 'metric') return thresholdLabel(text);
  return isEnumValue(text) ? enumLabel(text) : text;
}

function valueLabel(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => itemLabel(name, item)).join(', ');
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : textOf(value);
}

/** The names and values of the filter. @param filter as in the API: `{"athletes": {"sport": ["FOOTBALL"]}}` */
export function filterItemsOf(filter: unknown): readonly (readonly [name: string, value: string])[] {
  if (typeof filter !== 'object' || filter === null) return [];
  return Object.values(filter).flatMap((members: unknown) =>
    typeof members === 'object' && members !== null
      ? Object.entries(members).map(([name, value]) => [labelOf(name), valueLabel(name, value)] as const)
      : [],
  );
}

/** The filter in a line. */
export function filterSummary(filter: unknown): string {
  const items = filterItemsOf(filter);
  return items.length === 0 ? 'No filters' : items.map(([name, value]) => `${name}: ${value}`).join(' · ');
}

const units = [
  [10_080, 'week'],
  [1_440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/** "Every hour", "Every 90 minutes". */
export function intervalLabel(minutes: number): string {
  const [length, name] = units.find(([each]) => minutes % each === 0) ?? [1, 'minute'];
  const count = minutes / length;
  return count === 1 ? `Every ${name}` : `Every ${count} ${name}s`;
}
