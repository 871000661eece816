/** Loads the athletes, organizations and teams that memberships refer to. */
import type { Queryable } from '../../../platform/database/database.ts';
import { athletesById, type AthletesById } from '../../clients/athlete-facts.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { OrganizationRow } from '../organizations/rows.ts';
import type { TeamRow } from '../teams/rows.ts';

export interface MembershipReferences {
  readonly athletes: AthletesById;
  readonly organizations: ReadonlyMap<string, OrganizationRow>;
  readonly teams: ReadonlyMap<string, TeamRow>;
}

interface ReferencedIds {
  readonly personId?: string | null | undefined;
  readonly organizationId?: string | null | undefined;
  readonly teamId?: string | null | undefined;
}

type Read<Row> = (ids: readonly string[], queryable?: Queryable) => Promise<Row[]>;

/** The reads of the other resources of this area. */
export interface ReferenceReads {
  readonly organizations: { readonly read: Read<OrganizationRow> };
  readonly teams: { readonly read: Read<TeamRow> };
}

async function readById<Row extends { id: string }>(
  { read }: { readonly read: Read<Row> },
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, Row>> {
  const rows = await read([...new Set(ids.filter((id) => typeof id === 'string'))]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** One fetch and two statements for any number of memberships. */
export async function loadReferences(
  context: Context,
  reads: ReferenceReads,
  items: readonly ReferencedIds[],
): Promise<MembershipReferences> {
  const [athletes, organizations, teams] = await Promise.all([
    athletesById(
      context,
      items.map((item) => item.personId),
    ),
    readById(
      reads.organizations,
      items.map((item) => item.organizationId),
    ),
    readById(
      reads.teams,
      items.map((item) => item.teamId),
    ),
  ]);
  return { athletes, organizations, teams };
}
