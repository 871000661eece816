/** The rows of the event feed. */
import { raw } from '../../../platform/database/database.ts';
import type { Area } from '../../../schema/areas.ts';
import type { EventType } from '../../../schema/events.ts';
import type { EventResourceType } from '../../../schema/events.ts';

export interface EventRow {
  /** Position in the feed. */
  readonly sequence: number;
  readonly id: string;
  readonly type: EventType;
  readonly area: Area;
  readonly resourceType: EventResourceType;
  readonly resourceId: string;
  readonly version: number;
  readonly at: string;
  readonly accountId: string | null;
  readonly audience: readonly string[];
  readonly subjectId: string | null;
  readonly sports: readonly string[];
  readonly competitionId: string | null;
  readonly organizationId: string | null;
  readonly wasPublic: boolean;
}

/** An event as one viewer reads it. */
export interface VisibleEvent extends EventRow {
  /** The type of the subject; null if the viewer cannot read it, or the event has none. */
  readonly subjectType: string | null;
}

export const eventColumns =
  raw(`sequence, id, type, area, resource_type as "resourceType", resource_id as "resourceId", version, at,
  account_id as "accountId", audience, subject_id as "subjectId", sports, competition_id as "competitionId",
  organization_id as "organizationId", was_public as "wasPublic"`);
