/** Ordinals and lists in texts for people. */
const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const rules = new Intl.PluralRules('en', { type: 'ordinal' });

/** Such as `82nd percentile`. */
export const percentileOrdinal = (percentile: number): string =>
  `${percentile}${endings[rules.select(percentile)] ?? 'th'} percentile`;

const both = new Intl.ListFormat('en', { type: 'conjunction' });
const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** Such as `left winger and striker`, sorted so that the text does not depend on the input order. */
export const joinAll = (items: readonly string[]): string => both.format([...items].sort());

/** Such as `left winger or right winger`. */
export const joinAny = (items: readonly string[]): string => either.format([...items].sort());
