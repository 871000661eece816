/** What a write of memberships must know: the athletes (through the graph), organizations and teams it names. */
import type { Queryable } from '../../../platform/database/database.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { Sport } from '../resolvers.generated.ts';
import type { OrganizationRow } from '../organizations/reads.ts';
import type { TeamRow } from '../teams/reads.ts';

export interface AthleteReference {
  readonly id: string;
  readonly accountId: string;
  readonly public: boolean;
  readonly sports: readonly { readonly sport: Sport; readonly primary: boolean }[];
}

export interface MembershipReferences {
  readonly athletes: ReadonlyMap<string, AthleteReference>;
  readonly organizations: ReadonlyMap<string, OrganizationRow>;
  readonly teams: ReadonlyMap<string, TeamRow>;
}

/** The ids that a membership names. */
interface Named {
  readonly personId?: string | null | undefined;
  readonly organizationId?: string | null | undefined;
  readonly teamId?: string | null | undefined;
}

type Read<Row> = (ids: readonly string[], queryable?: Queryable) => Promise<Row[]>;

const athletesById = /* GraphQL */ `
  query membershipAthletes($ids: [ID!]!) {
    athletesById(ids: $ids) {
      id
      accountId
      public
      sports {
        sport
        primary
      }
    }
  }
`;

function byId<Row extends { id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

const present = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id) => typeof id === 'string')),
];

/** One fetch and two statements for any number of memberships. */
export async function loadReferences(
  context: Context,
  read: { readonly organizations: Read<OrganizationRow>; readonly teams: Read<TeamRow> },
  items: readonly Named[],
): Promise<MembershipReferences> {
  const athleteIds = present(items.map((item) => item.personId));
  const [athletes, organizations, teams] = await Promise.all([
    athleteIds.length === 0
      ? []
      : context.graph(athletesById, { ids: athleteIds }).then((data) => data['athletesById'] as AthleteReference[]),
    read.organizations(present(items.map((item) => item.organizationId))),
    read.teams(present(items.map((item) => item.teamId))),
  ]);
  return { athletes: byId(athletes), organizations: byId(organizations), teams: byId(teams) };
}
