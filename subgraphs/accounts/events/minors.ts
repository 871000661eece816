/** The events that administrators without access to minors do not read: an event reveals that its resource exists. */
import type { EventResourceType } from '../../../schema/events.ts';
import { subjectTypeOf, type SubjectType } from '../../../schema/event-subjects.ts';
import { hasFullAccess, readsMinors, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { nodeTypesById } from '../../clients/node-types.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { EventRow } from './rows.ts';

/** Private resources about an athlete. The feed does not know the athlete, so the events of adults are omitted, too. */
const privateTypes: readonly EventResourceType[] = [
  'absence',
  'application',
  'consent',
  'contact_request',
  'report',
  'scouting_report',
  'shortlist_entry',
];

/** The types of resources about athletes that a viewer can read by ID. */
const athleteTypes: readonly SubjectType[] = ['Athlete', 'AthleteStatistics', 'Membership', 'Replay', 'Transfer'];

const omitsMinors = (viewer: Viewer): boolean => hasFullAccess(viewer) && !readsMinors(viewer);

/** Excludes the events of private resources about athletes, for viewers that do not read minors. */
export const withoutPrivateTypes = (viewer: Viewer): Sql[] =>
  omitsMinors(viewer) ? [sql`resource_type <> all(${[...privateTypes]})`] : [];

/** Whether the viewer reads the event only while it can read the resource, which is the subject of the event. */
export function requiresReadableSubject(viewer: Viewer, { resourceType }: Pick<EventRow, 'resourceType'>): boolean {
  const type = subjectTypeOf(resourceType);
  return omitsMinors(viewer) && type !== null && athleteTypes.includes(type);
}

/** The events whose subjects the viewer can read, where that is required. Throws Problem upstream_unavailable while an area does not respond. */
export async function withReadableSubjects(context: Context, rows: readonly EventRow[]): Promise<ReadonlySet<EventRow>> {
  const checked = rows.filter((row) => requiresReadableSubject(context.viewer, row));
  const ids = checked.map(({ resourceId }) => resourceId);
  const types = ids.length === 0 ? new Map<string, string | Error>() : await nodeTypesById(context, ids, athleteTypes);
  const isReadable = (row: EventRow): boolean => {
    const type = types.get(row.resourceId);
    if (type instanceof Error) throw type;
    return type !== undefined;
  };
  return new Set(rows.filter((row) => !requiresReadableSubject(context.viewer, row) || isReadable(row)));
}
