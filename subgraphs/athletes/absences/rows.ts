/** The `absence` table, its row type, and the resource description that writes use. */
import {
  column,
  computedColumn,
  defineTable,
  jsonColumn,
  resourceColumns,
  type RowOf,
} from '../../../platform/database/columns.ts';
import { sql } from '../../../platform/database/database.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import type { AbsenceDisclosure, AbsenceKind, HealthConsent } from '../generated/resolvers.ts';
import { publishedAbsence } from './visible-absences.ts';

const absenceColumns = {
  ...resourceColumns,
  athleteId: column<string>(),
  kind: column<AbsenceKind>(),
  disclosure: column<AbsenceDisclosure>(),
  startDate: column<string>(),
  expectedEndDate: column<string | null>(),
  endDate: column<string | null>(),
  reason: column<string | null>(),
  competitionId: column<string | null>(),
  matchCount: column<number | null>(),
  healthConsent: jsonColumn<HealthConsent | null>(),
  /** The account of the athlete: another one than `accountId` for the suspension by an organizer. */
  athleteAccountId: computedColumn<string>(sql`(select a.account_id from athlete a where a.id = absence.athlete_id)`),
  /** Whether every viewer can read the row. */
  published: computedColumn<boolean>(publishedAbsence),
};

export type AbsenceRow = RowOf<typeof absenceColumns>;

export type AbsencePage = Page<AbsenceRow>;

export const absences = defineTable('absence', absenceColumns);

export const absenceResource: Resource<AbsenceRow> = {
  type: 'absence',
  table: absences,
  created: 'absence.created',
  updated: 'absence.updated',
  deleted: 'absence.deleted',
  required: ['disclosure', 'startDate'],
  isPublic: (row) => row.published,
  hasRegistryIds: false,
};
