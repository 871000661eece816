/** The search parameters of the usage screen: time range, group and measure of the charts. */
import type { ListSearch } from '../../../components/list-search.ts';

export const usageSearch = {
  /** Absent: 30 days. */
  range: ['HOUR'],
  /** Absent: by status. */
  group: ['KEY', 'AREA'],
  /** Absent: units. */
  measure: ['REQUESTS'],
} as const;

export type UsageSearch = ListSearch<typeof usageSearch>;
