/** Demo applications with their history. */
import { difference } from '../../../platform/writes/change.ts';
import type { Random } from '../../../platform/random.ts';
import type { DemoAthlete, DemoData } from '../../../schema/demo.ts';
import type { AddRow } from '../../runtime/area-seed.ts';
import { applicationTransitions, admittedStates, type ApplicationVerb } from '../applications/lifecycle.ts';
import type { ApplicationStatus, OpportunityStatus, Sport } from '../generated/resolvers.ts';
import type { ApplicationRow } from '../applications/rows.ts';

/** The opportunity data that applications depend on. */
export interface DemoOpportunity {
  readonly id: string;
  readonly status: OpportunityStatus;
  readonly sport: Sport;
  readonly sex: string | null;
  readonly createdAt: string;
  readonly applicationDeadline: string;
  readonly totalOpenings: number;
}

const toOffer = ['submit', 'review', 'shortlist', 'offer'] as const;

/** The transitions that lead to each status. */
const transitionsTo: Readonly<Record<ApplicationStatus, readonly ApplicationVerb[]>> = {
  DRAFT: [],
  SUBMITTED: ['submit'],
  UNDER_REVIEW: ['submit', 'review'],
  SHORTLISTED: ['submit', 'review', 'shortlist'],
  INVITED: ['submit', 'review', 'shortlist', 'invite'],
  WAITLISTED: ['submit', 'review', 'waitlist'],
  OFFERED: toOffer,
  ACCEPTED: [...toOffer, 'accept'],
  ENROLLED: [...toOffer, 'accept', 'enroll'],
  REJECTED: ['submit', 'review', 'reject'],
  WITHDRAWN: ['submit', 'withdraw'],
  DECLINED: ['submit', 'review', 'invite', 'decline'],
  EXPIRED: [...toOffer, 'expire'],
  RESCINDED: [...toOffer, 'rescind'],
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
const cancelled: Weights = [
  ['REJECTED', 70],
  ['RESCINDED', 20],
  ['WITHDRAWN', 10],
];

const weightsOf = (status: OpportunityStatus): Weights =>
  status === 'CANCELLED' ? cancelled : status === 'CLOSED' ? decided : running;

const questions = [
  ['Why are you applying?', 'I want to train at a higher level.'],
  ['When can you start?', 'Immediately. My season is over.'],
  ['What do you do besides sports?', 'I study, and I coach children on Saturdays.'],
] as const;

const dayMs = 86_400_000;
const at = (moment: number): string => new Date(moment).toISOString();

/** A version 7 UUID (RFC 9562), which contains the time of creation, like the ids that the database generates. */
function idAt(random: Random, moment: number): string {
  const time = moment.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`;
}

/** The values that a transition sets in addition to the status. */
function transitionValues(
  random: Random,
  verb: ApplicationVerb,
  moment: number,
  { status, today, isCancelled }: { status: ApplicationStatus; today: number; isCancelled: boolean },
) {
  if (verb === 'submit') return { submittedAt: at(moment) };
  if (verb === 'offer') {
    const expiresAt =
      status === 'EXPIRED' ? moment + dayMs / 24 : status === 'OFFERED' ? today + random.integer(10, 90) * dayMs : null;
    return { offeredAt: at(moment), offerExpiresAt: expiresAt === null ? null : at(expiresAt) };
  }
  if (verb !== 'reject' && verb !== 'rescind') return {};
  const reasonCode = isCancelled
    ? ('OPPORTUNITY_CANCELLED' as const)
    : random.pick(['REQUIREMENTS_NOT_MET', 'OTHERS_PREFERRED', 'OPENINGS_TAKEN'] as const);
  return { decision: { reasonCode, message: null } };
}

/** A draft application. */
function draftOf(
  random: Random,
  opportunity: DemoOpportunity,
  athlete: DemoAthlete,
  accountId: string,
  created: number,
): ApplicationRow {
  return {
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
}

/** Adds an application with its history. Returns whether there was enough time for all transitions. */
function addApplication(
  random: Random,
  opportunity: DemoOpportunity,
  athlete: DemoAthlete,
  status: ApplicationStatus,
  demo: DemoData,
  add: AddRow,
): boolean {
  const today = Date.parse(demo.today);
  const from = Math.max(Date.parse(opportunity.createdAt), Date.parse(athlete.createdAt));
  const until = Math.min(today, Date.parse(opportunity.applicationDeadline));
  const verbs = transitionsTo[status];
  // Each transition has an equal share of the time, and is more than an hour after the previous one.
  const share = (until - from) / (verbs.length + 1);
  if (share < dayMs / 8) return false;
  const momentOf = (index: number): number => Math.floor(from + share * (index + 0.2 + random.fraction() / 2));
  const accountId = demo.account.id;
  let row = draftOf(random, opportunity, athlete, accountId, momentOf(0));
  const note = (action: string, before: ApplicationRow | null): void => {
    const actor = action === 'expire' ? { kind: 'SYSTEM', accountId: null } : { kind: 'KEY', accountId };
    add('history', {
      resourceType: 'application',
      resourceId: row.id,
      version: row.version,
      action,
      actor: JSON.stringify({ ...actor, keyId: null }),
      changes: JSON.stringify(difference(before, row)),
      at: row.updatedAt,
    });
  };
  note('created', null);
  for (const [index, verb] of verbs.entries()) {
    const before = row;
    const moment = momentOf(index + 1);
    const values = transitionValues(random, verb, moment, { status, today, isCancelled: opportunity.status === 'CANCELLED' });
    row = { ...row, ...values, version: row.version + 1, updatedAt: at(moment), status: applicationTransitions[verb].to };
    note(verb, before);
  }
  add('application', {
    ...row,
    answers: JSON.stringify(row.answers),
    decision: row.decision && JSON.stringify(row.decision),
  });
  return true;
}

/** Adds applications of some of the adult athletes to a published opportunity. Returns the number of filled openings. */
export function addApplications(
  random: Random,
  opportunity: DemoOpportunity,
  athletes: readonly DemoAthlete[],
  demo: DemoData,
  add: AddRow,
): number {
  const { sport, sex, status, totalOpenings } = opportunity;
  const eligible = athletes.filter((athlete) => athlete.sport === sport && (sex === null || athlete.sex === sex));
  let admitted = 0;
  for (const athlete of random.sample(eligible, random.integer(0, 7))) {
    const generated = random.weighted(weightsOf(status));
    const isFull = admittedStates.includes(generated) && admitted === totalOpenings;
    const final = isFull ? 'WAITLISTED' : generated;
    if (addApplication(random, opportunity, athlete, final, demo, add) && admittedStates.includes(final)) admitted += 1;
  }
  return admitted;
}
