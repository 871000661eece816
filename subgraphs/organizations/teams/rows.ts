/** The `team` table, its row type, and the resource description that writes use. */
import {
  column,
  computedColumn,
  defineTable,
  jsonColumn,
  resourceColumns,
  type RowOf,
} from '../../../platform/database/columns.ts';
import type { Page } from '../../../platform/lists/page.ts';
import { namesOf, searchText } from '../../../platform/lists/search.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import { publishedTeam } from '../organizations/visibility.ts';
import type { AgeGroup, Sport, TeamCategory } from '../generated/resolvers.ts';

const teamColumns = {
  ...resourceColumns,
  name: column<string>(),
  shortName: column<string | null>(),
  names: jsonColumn<{ readonly language: string; readonly value: string }[]>(),
  sport: column<Sport>(),
  discipline: column<string | null>(),
  category: column<TeamCategory>(),
  ageGroup: column<AgeGroup>(),
  organizationId: column<string | null>(),
  country: column<string | null>(),
  /** Whether the row is public. */
  published: computedColumn<boolean>(publishedTeam),
};

export type TeamRow = RowOf<typeof teamColumns>;

export type TeamPage = Page<TeamRow>;

export const teams = defineTable('team', teamColumns);

export const teamResource: Resource<TeamRow> = {
  type: 'team',
  table: teams,
  created: 'team.created',
  updated: 'team.updated',
  deleted: 'team.deleted',
  required: ['name', 'names', 'category', 'ageGroup'],
  isPublic: (row) => row.published,
  computed: (row) => ({ search: searchText([row.name, row.shortName, ...namesOf(row.names)]) }),
};
