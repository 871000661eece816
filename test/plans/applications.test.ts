/** Every documented filter of applications is served by an index: of an account with many on each side, among 40,000. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { QueryApplicationsArgs } from '../../subgraphs/opportunities/resolvers.generated.ts';
import { createApplicationStore } from '../../subgraphs/opportunities/store/application.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, openExplained, readsFew } from './explained.ts';

const accountId = '00000000-0000-4000-8000-000000000001';
const opportunityId = '00000000-0000-4000-8000-000000000007';
let database: ClonedDatabase;
let explained: ReturnType<typeof openExplained>;
beforeAll(async () => {
  database = await cloneDatabase();
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
  await database.drop();
});

/** Those of both sides are put in order once they are read: all of the account, where nothing else narrows them. */
const cases: QueryApplicationsArgs[] = [
  { filter: { side: 'APPLICANT' } },
  { filter: { side: 'OPPORTUNITY' } },
  { filter: { opportunityId } },
  { filter: { athleteId: '00000000-0000-4000-8000-000000000008' } },
  { filter: { status: ['SUBMITTED'] } },
  { filter: { status: ['RESCINDED'] } },
  { filter: { status: ['EXPIRED'] } },
  { filter: { side: 'OPPORTUNITY', status: ['RESCINDED'] } },
  { filter: { opportunityId, status: ['RESCINDED'] } },
  { filter: { side: 'APPLICANT', updatedSince: '2020-01-01T00:00:00Z' } },
  { filter: { side: 'OPPORTUNITY', updatedSince: '2020-01-01T00:00:00Z' } },
];

describe('applications', () => {
  readsFew(cases, (args) => {
    const viewer = { ...anonymous().viewer, kind: 'KEY', accountId } as const;
    return explained.reading(() =>
      createApplicationStore(explained.services).list({ ...anonymous(), viewer }, { first: 20, ...args }),
    );
  });
});
