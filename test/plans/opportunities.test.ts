/** Query plans of 50,000 opportunities and 40,000 applications: indexes serve every filter and order, also for an account with many applications on both sides. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { createOpportunityReads } from '../../subgraphs/opportunities/opportunities/reads.ts';
import { createApplicationReads } from '../../subgraphs/opportunities/applications/reads.ts';
import type { QueryApplicationsArgs, QueryOpportunitiesArgs } from '../../subgraphs/opportunities/generated/resolvers.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, inEachOrder, openExplained, testFewRowsRead } from './explained.ts';

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

describe('opportunities', () => {
  let explained: ReturnType<typeof openExplained>;
  beforeAll(async () => {
    await fill(database, 'opportunities', [
      `insert into opportunity (account_id, created_at, updated_at, status, type, organization_id, organization_public, title, description, sport,
      positions, sex, age_range, nationalities, country, application_deadline, total_openings, remaining_openings, search)
    select gen_random_uuid(), now() - random() * interval '900 days', now() - random() * interval '900 days',
      case when random() < 0.001 then 'ARCHIVED' else (array['PUBLISHED', 'PUBLISHED', 'PUBLISHED', 'CLOSED', 'DRAFT', 'PAUSED'])[1 + (random() * 5)::int] end,
      case when random() < 0.001 then 'SHOWCASE' else (array['TRIAL', 'SCHOLARSHIP', 'TALENT_REQUEST'])[1 + (random() * 2)::int] end,
      ('00000000-0000-4000-8000-' || lpad((i % 2000)::text, 12, '0'))::uuid, true, md5(i::text), 'x',
      (array['FOOTBALL', 'TENNIS', 'RUGBY', 'HANDBALL', 'SWIMMING'])[1 + i % 5],
      case when i % 3 = 0 then '{}' else array[(array['GK', 'LB', 'CB', 'CM', 'ST'])[1 + (random() * 4)::int]] end,
      case when random() < 0.3 then null when random() < 0.5 then 'MALE' else 'FEMALE' end,
      case when random() < 0.3 then null else jsonb_build_object('min', 18, 'max', 20 + (random() * 10)::int) end,
      case when random() < 0.7 then '{}' else array[(array['DE', 'FR', 'NG'])[1 + (random() * 2)::int]] end,
      case when random() < 0.001 then 'IS' else (array['DE', 'FR', 'NG', 'BR', 'JP'])[1 + (random() * 4)::int] end,
      now() + (random() * 600 - 100) * interval '1 day', 5, 5, md5(i::text)
    from generate_series(1, 50000) i`,
      'analyze opportunity',
    ]);
    explained = openExplained(database, 'opportunities', 'opportunity');
  });
  afterAll(async () => {
    await explained.close();
  });

  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

  const cases: QueryOpportunitiesArgs[] = [
    {},
    { filter: { q: 'd41d8' } },
    { filter: { type: ['TRIAL'] } },
    { filter: { type: ['SHOWCASE'] } },
    { filter: { sport: ['FOOTBALL'] } },
    { filter: { sport: ['CYCLING'] } },
    { filter: { position: ['GK'] } },
    { filter: { position: ['PG'] } },
    { filter: { sex: ['MALE'] } },
    { filter: { sex: ['UNSPECIFIED'] } },
    { filter: { age: 19 } },
    { filter: { age: 60 } },
    { filter: { nationality: ['DE'] } },
    { filter: { nationality: ['IS'] } },
    { filter: { country: ['DE'] } },
    { filter: { country: ['IS'] } },
    { filter: { deadlineAfter: inDays(1) } },
    { filter: { deadlineAfter: inDays(499) } },
    { filter: { organizationId: ['00000000-0000-4000-8000-000000000007'] } },
    { filter: { status: ['PUBLISHED'] } },
    { filter: { status: ['CLOSED'] } },
    { filter: { status: ['ARCHIVED'] } },
    { filter: { status: ['CANCELLED', 'ARCHIVED'] } },
    { filter: { updatedSince: '2020-01-01T00:00:00Z' } },
  ];

  testFewRowsRead(inEachOrder(cases, ['CREATED_AT_ASC', 'DEADLINE_ASC', 'DEADLINE_DESC']), (args) =>
    explained.reading(() =>
      createOpportunityReads(explained.services).list(anonymous(), { first: 20, sort: 'CREATED_AT_DESC', ...args }),
    ),
  );
});

describe('applications', () => {
  const accountId = '00000000-0000-4000-8000-000000000001';
  const opportunityId = '00000000-0000-4000-8000-000000000007';
  let explained: ReturnType<typeof openExplained>;
  beforeAll(async () => {
    const id = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
    await fill(database, 'opportunities', [
      `insert into opportunity (id, account_id, status, type, organization_id, title, description, sport, application_deadline, total_openings, remaining_openings, search)
    select ${id('i')}, ${id('i % 9')}, 'PUBLISHED', 'TRIAL', gen_random_uuid(), 'x', 'x', 'FOOTBALL', now() + interval '9 days', 5, 5, 'x' from generate_series(0, 499) i`,
      `insert into application (account_id, opportunity_account_id, opportunity_id, sport, athlete_id, created_at, updated_at, status)
    select ${id('i % 7')}, ${id('i % 500 % 9')}, ${id('i % 500')}, 'FOOTBALL', ${id('i')},
      now() - random() * interval '900 days', now() - random() * interval '900 days',
      case when random() < 0.001 then 'RESCINDED' else (array['DRAFT', 'SUBMITTED', 'UNDER_REVIEW', 'REJECTED', 'OFFERED'])[1 + (random() * 4)::int] end
    from generate_series(1, 40000) i`,
      'analyze application',
    ]);
    explained = openExplained(database, 'opportunities', 'application');
  });
  afterAll(async () => {
    await explained.close();
  });

  /** The applications of both sides are read completely and sorted, unless another filter applies. */
  const cases: QueryApplicationsArgs[] = [
    { filter: { side: 'APPLICANT' } },
    { filter: { side: 'OPPORTUNITY' } },
    { filter: { opportunityId: [opportunityId] } },
    { filter: { athleteId: ['00000000-0000-4000-8000-000000000008'] } },
    { filter: { status: ['SUBMITTED'] } },
    { filter: { status: ['RESCINDED'] } },
    { filter: { status: ['EXPIRED'] } },
    { filter: { side: 'OPPORTUNITY', status: ['RESCINDED'] } },
    { filter: { opportunityId: [opportunityId], status: ['RESCINDED'] } },
    { filter: { side: 'APPLICANT', updatedSince: '2020-01-01T00:00:00Z' } },
    { filter: { side: 'OPPORTUNITY', updatedSince: '2020-01-01T00:00:00Z' } },
  ];

  testFewRowsRead(cases, (args) => {
    const viewer = { ...anonymous().viewer, kind: 'KEY', accountId } as const;
    return explained.reading(() =>
      createApplicationReads(explained.services).list({ ...anonymous(), viewer }, { first: 20, ...args }),
    );
  });
});
