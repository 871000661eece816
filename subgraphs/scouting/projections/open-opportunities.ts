/** Projection of open opportunities, with their public data. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { projectChanged, type Consumer } from '../../../platform/events/consumer.ts';
import { graphql } from '../../clients/graphql.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import type { ProjectedOpportunitiesQuery } from '../../clients/generated/graphql.ts';
import { lockProjection } from './projection-lock.ts';
import { sweep } from './sweep.ts';

const query = graphql(`
  query projectedOpportunities($ids: [ID!]!) {
    openOpportunities(ids: $ids) {
      id
      type
      sport
      disciplines
      positions
      sex
      ageRange {
        min
        max
        referenceDate
      }
      nationalities
      country
      startDate
      applicationDeadline
      requirements {
        metricKey
        attribute
        operator
        value
        mandatory
        weight
      }
      languages
      minorsAllowed
      academic {
        minGpa
        gpaScale
      }
      profile {
        positions
        ageRange {
          min
          max
          referenceDate
        }
        heightMinCm
        dominantFoot
        metrics {
          key
          value
        }
      }
      version
      organization {
        id
        level
      }
    }
  }
`);

const idsQuery = graphql(`
  query openOpportunitiesAfter($after: ID) {
    openOpportunityIds(after: $after)
  }
`);

type PublishedOpportunity = NonNullable<ProjectedOpportunitiesQuery['openOpportunities']>[number];

/** The row of an opportunity. None if its organization has been hidden. */
function rowOf({ version, organization, ...facts }: PublishedOpportunity): object[] {
  if (organization === null) return [];
  const { id, level } = organization;
  const { min = null, max = null, referenceDate = null } = facts.ageRange ?? {};
  return [
    {
      id: facts.id,
      version,
      organization_id: id,
      sport: facts.sport,
      positions: facts.positions,
      sex: facts.sex,
      age_min: min,
      age_max: max,
      reference_date: referenceDate,
      nationalities: facts.nationalities,
      country: facts.country,
      level,
      minors_allowed: facts.minorsAllowed,
      application_deadline: facts.applicationDeadline,
      facts: { ...facts, organization: { level } },
    },
  ];
}

/** The limit of the query. */
const fetchMax = 100;

async function fetchOpportunities(graph: Graph, ids: readonly string[]): Promise<PublishedOpportunity[]> {
  const opportunities: PublishedOpportunity[] = [];
  for (let from = 0; from < ids.length; from += fetchMax) {
    const data = await graph(query, { ids: ids.slice(from, from + fetchMax) });
    opportunities.push(...(data.openOpportunities ?? []));
  }
  return opportunities;
}

/** Updates rows from the current data of the opportunities area, and deletes those of closed opportunities. */
async function projectOpenOpportunities(transaction: Queryable, ids: readonly string[], graph: Graph): Promise<void> {
  await lockProjection(transaction, 'open_opportunity');
  const rows = (await fetchOpportunities(graph, ids)).flatMap(rowOf);
  await transaction.query(sql`/* openOpportunities.project */
    with published as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, version int, organization_id uuid, sport text, positions text[],
        sex text, age_min int, age_max int, reference_date date, nationalities text[], country text, level text, minors_allowed boolean,
        application_deadline timestamptz, facts jsonb)),
    deleted as (delete from open_opportunity where id = any(${[...ids]}::uuid[]) and id not in (select id from published))
    insert into open_opportunity (id, version, organization_id, sport, positions, sex, age_min, age_max, reference_date, nationalities, country, level,
      minors_allowed, application_deadline, facts)
    select id, version, organization_id, sport, positions, sex, age_min, age_max, reference_date, nationalities, country, level,
      minors_allowed, application_deadline, facts from published order by id
    on conflict (id) do update set version = excluded.version, organization_id = excluded.organization_id, sport = excluded.sport,
      positions = excluded.positions, sex = excluded.sex, age_min = excluded.age_min, age_max = excluded.age_max,
      reference_date = excluded.reference_date, nationalities = excluded.nationalities, country = excluded.country, level = excluded.level,
      minors_allowed = excluded.minors_allowed, application_deadline = excluded.application_deadline, facts = excluded.facts`);
}

/** Projects opportunities from their events, and from a sweep. */
export function openOpportunitiesConsumer(database: Database): Consumer {
  return {
    name: 'opportunities',
    source: 'opportunities',
    database,
    apply: projectChanged('opportunity', (ids, transaction, graph) => projectOpenOpportunities(transaction, ids, graph)),
    catchUp: (graph) =>
      sweep(database, {
        name: 'opportunities',
        idsAfter: async (after) => (await graph(idsQuery, { after })).openOpportunityIds ?? [],
        project: (transaction, ids) => projectOpenOpportunities(transaction, ids, graph),
      }),
  };
}

/** Projects the opportunities of changed organizations, because matches compare the level of the organization. */
export function opportunityOrganizationsConsumer(database: Database): Consumer {
  return {
    name: 'opportunity-organizations',
    source: 'organizations',
    database,
    apply: projectChanged('organization', async (organizationIds, transaction, graph) => {
      await lockProjection(transaction, 'open_opportunity');
      const rows = await transaction.query<{ id: string }>(sql`/* openOpportunities.ofOrganizations */
        select id from open_opportunity where organization_id = any(${[...organizationIds]}::uuid[])`);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await projectOpenOpportunities(transaction, ids, graph);
    }),
  };
}
