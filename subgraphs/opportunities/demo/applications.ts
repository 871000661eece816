/** Demo data: who applied to an opportunity, how far it has come, and the steps that led there. */
import { difference } from '../../../platform/writes/change.ts';
import type { Random } from '../../../platform/random.ts';
import type { DemoAthlete, DemoData } from '../../../schema/demo.ts';
import type { AddRow } from '../../runtime/area-seed.ts';
import { applicationTransitions, admittedStates, type ApplicationVerb } from '../applications/lifecycle.ts';
import type { ApplicationStatus, OpportunityStatus, Sport } from '../resolvers.generated.ts';
import type { ApplicationRow } from '../applications/rows.ts';

/** What applications need to know of the opportunity. */
export interface DemoOpportunity {
  readonly id: string;
  readonly status: OpportunityStatus;
  readonly sport: Sport;
  readonly sex: string | null;
  readonly createdAt: string;
  readonly applicationDeadline: string;
  readonly totalOpenings: number;
}

const offered = ['submit', 'review', 'shortlist', 'offer'] as const;

/** The steps to every state. */
const ways: Readonly<Record<ApplicationStatus, readonly ApplicationVerb[]>> = {
  DRAFT: [],
  SUBMITTED: ['submit'],
  UNDER_REVIEW: ['submit', 'review'],
  SHORTLISTED: ['submit', 'review', 'shortlist'],
  INVITED: ['submit', 'review', 'shortlist', 'invite'],
  WAITLISTED: ['submit', 'review', 'waitlist'],
  OFFERED: offered,
  ACCEPTED: [...offered, 'accept'],
  ENROLLED: [...offered, 'accept', 'enroll'],
  REJECTED: ['submit', 'review', 'reject'],
  WITHDRAWN: ['submit', 'withdraw'],
  DECLINED: ['submit', 'review', 'invite', 'decline'],
  EXPIRED: [...offered, 'expire'],
  RESCINDED: [...offered, 'rescind'],
};

type Weights = readonly (readonly [ApplicationStatus, number])[];

const running: Weights = [
  ['DRAFT', 8],
  ['SUBMITTED', 26],
  ['UNDER_REVIEW', 14],
  ['SHORTLISTED', 10],
  ['INVITED', 8],
  ['WAITLISTED', 5],
  ['OFFERED', 8],
  ['ACCEPTED', 5],
  ['REJECTED', 7],
  ['WITHDRAWN', 4],
  ['DECLINED', 3],
  ['EXPIRED', 2],
];
const decided: Weights = [
  ['ENROLLED', 28],
  ['ACCEPTED', 8],
  ['REJECTED', 38],
  ['WAITLISTED', 8],
  ['WITHDRAWN', 6],
  ['DECLINED', 6],
  ['EXPIRED', 3],
  ['RESCINDED', 3],
];
const calledOff: Weights = [
  ['REJECTED', 70],
  ['RESCINDED', 20],
  ['WITHDRAWN', 10],
];

const weightsOf = (status: OpportunityStatus): Weights =>
  status === 'CANCELLED' ? calledOff : status === 'CLOSED' ? decided : running;

const questions = [
  ['Why do you want to come?', 'I want to train where the level is higher than at home.'],
  ['When could you begin?', 'At once; my season is over.'],
  ['What do you do beside sports?', 'I study, and I coach children on Saturdays.'],
] as const;

const dayMs = 86_400_000;
const at = (moment: number): string => new Date(moment).toISOString();

/** An id that says when it was made (RFC 9562, version 7), as the database makes them. */
function idAt(random: Random, moment: number): string {
  const time = moment.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`;
}

/** What a step says of the application besides its state. */
function said(random: Random, verb: ApplicationVerb, moment: number, to: ApplicationStatus, today: number, cancelled: boolean) {
  if (verb === 'submit') return { submittedAt: at(moment) };
  if (verb === 'offer') {
    const ends = to === 'EXPIRED' ? moment + dayMs / 24 : to === 'OFFERED' ? today + random.integer(10, 90) * dayMs : null;
    return { offeredAt: at(moment), offerExpiresAt: ends === null ? null : at(ends) };
  }
  if (verb !== 'reject' && verb !== 'rescind') return {};
  const reasonCode = cancelled
    ? ('OPPORTUNITY_CANCELLED' as const)
    : random.pick(['REQUIREMENTS_NOT_MET', 'OTHERS_PREFERRED', 'OPENINGS_TAKEN'] as const);
  return { decision: { reasonCode, message: null } };
}

function apply(
  random: Random,
  opportunity: DemoOpportunity,
  athlete: DemoAthlete,
  to: ApplicationStatus,
  demo: DemoData,
  add: AddRow,
) {
  const today = Date.parse(demo.today);
  const from = Math.max(Date.parse(opportunity.createdAt), Date.parse(athlete.createdAt));
  const until = Math.min(today, Date.parse(opportunity.applicationDeadline));
  const steps = ways[to];
  // a step a share of the time: each comes after the one before it, and leaves more than an hour between
  const share = (until - from) / (steps.length + 1);
  if (share < dayMs / 8) return false;
  const moment = (step: number): number => Math.floor(from + share * (step + 0.2 + random.fraction() / 2));
  const accountId = demo.account.id;
  const actor = (kind: string) => JSON.stringify({ kind, accountId: kind === 'SYSTEM' ? null : accountId, keyId: null });
  const created = moment(0);
  let row: ApplicationRow = {
    id: idAt(random, created),
    accountId,
    opportunityAccountId: accountId,
    version: 1,
    createdAt: at(created),
    updatedAt: at(created),
    status: 'DRAFT',
    opportunityId: opportunity.id,
    sport: opportunity.sport,
    athleteId: athlete.id,
    answers: random.sample(questions, random.integer(0, 2)).map(([question, answer]) => ({ question, answer })),
    decision: null,
    submittedAt: null,
    offeredAt: null,
    offerExpiresAt: null,
  };
  const note = (action: string, before: ApplicationRow | null): void =>
    add('history', {
      resourceType: 'application',
      resourceId: row.id,
      version: row.version,
      action,
      actor: actor(action === 'expire' ? 'SYSTEM' : 'KEY'),
      changes: JSON.stringify(difference(before, row)),
      at: row.updatedAt,
    });
  note('created', null);
  for (const [index, verb] of steps.entries()) {
    const before = row;
    const when = moment(index + 1);
    const more = said(random, verb, when, to, today, opportunity.status === 'CANCELLED');
    row = { ...row, ...more, version: row.version + 1, updatedAt: at(when), status: applicationTransitions[verb].to };
    note(verb, before);
  }
  add('application', {
    ...row,
    answers: JSON.stringify(row.answers),
    decision: row.decision && JSON.stringify(row.decision),
  });
  return true;
}

/** Adds applications of some of the athletes, all of them adults, to an opportunity that is no draft. Returns how many openings they take. */
export function addApplications(
  random: Random,
  opportunity: DemoOpportunity,
  athletes: readonly DemoAthlete[],
  demo: DemoData,
  add: AddRow,
): number {
  const { sport, sex, status, totalOpenings } = opportunity;
  const fitting = athletes.filter((athlete) => athlete.sport === sport && (sex === null || athlete.sex === sex));
  let taken = 0;
  for (const athlete of random.sample(fitting, random.integer(0, 7))) {
    const drawn = random.weighted(weightsOf(status));
    const takes = admittedStates.includes(drawn);
    const to = takes && taken === totalOpenings ? 'WAITLISTED' : drawn;
    if (apply(random, opportunity, athlete, to, demo, add) && admittedStates.includes(to)) taken += 1;
  }
  return taken;
}
