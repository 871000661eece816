/** The incident table and its rows. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { ComponentName } from '../../../schema/components.ts';
import type { IncidentImpact, IncidentStatus } from '../generated/resolvers.ts';

export interface IncidentUpdateRow {
  readonly at: string;
  readonly status: IncidentStatus;
  readonly text: string;
}

export interface IncidentRow {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly title: string;
  readonly impact: IncidentImpact;
  readonly status: IncidentStatus;
  readonly components: readonly ComponentName[];
  readonly startedAt: string;
  readonly endsAt: string | null;
  readonly resolvedAt: string | null;
  /** Newest first. */
  readonly updates: readonly IncidentUpdateRow[];
}

export type IncidentPage = Page<IncidentRow>;

export const incidents = table<IncidentRow>('incident', {
  id: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  title: 'plain',
  impact: 'plain',
  status: 'plain',
  components: 'plain',
  startedAt: 'plain',
  endsAt: 'plain',
  resolvedAt: 'plain',
  updates: 'jsonb',
});
