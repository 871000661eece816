/** Demo shortlists, scouting reports and contact requests. They belong to a separate scouts account, because an account needs no contact request for its own athletes. */
import { openRandom, type Random } from '../../../platform/random.ts';
import type { DemoAthlete, DemoSquad, DemoData } from '../../../schema/demo.ts';
import { isShown, type AddRow } from '../../runtime/area-seed.ts';
import type { ContactRequestStatus, ShortlistStage } from '../generated/resolvers.ts';
import { responseWindowMs } from '../contact-requests/lifecycle.ts';

interface DemoShortlist {
  readonly name: string;
  readonly description: string;
  readonly includes: (athlete: DemoAthlete) => boolean;
}

/** An athlete is on the first list that includes it. */
const lists: readonly DemoShortlist[] = [
  {
    name: 'Full-backs',
    description: 'Summer transfer window',
    includes: ({ positions }) => positions.some((each) => /^[LR]W?B$/.test(each)),
  },
  { name: 'Footballers to watch', description: 'Under 23', includes: ({ sport, age }) => sport === 'FOOTBALL' && age < 23 },
  {
    name: 'Fast athletes',
    description: 'Track and pool',
    includes: ({ sport }) => sport === 'ATHLETICS' || sport === 'SWIMMING',
  },
  { name: 'Other sports', description: 'All other athletes under 25', includes: ({ age }) => age < 25 },
];

const stages: readonly (readonly [ShortlistStage, number])[] = [
  ['IDENTIFIED', 30],
  ['WATCHLIST', 20],
  ['SCOUTED', 14],
  ['SHORTLISTED', 8],
  ['CONTACTED', 8],
  ['SIGNED', 4],
  ['REJECTED', 7],
  ['ON_HOLD', 5],
  ['LOST', 4],
];
/** Status of the contact request that a stage requires, with weights. */
const requestStatuses: Partial<Record<ShortlistStage, readonly (readonly [ContactRequestStatus, number])[]>> = {
  CONTACTED: [
    ['SENT', 50],
    ['ACCEPTED', 50],
  ],
  SIGNED: [['ACCEPTED', 1]],
  LOST: [
    ['DECLINED', 70],
    ['EXPIRED', 30],
  ],
};
/** Stages with scouting reports. */
const reportedStages: ReadonlySet<ShortlistStage> = new Set([
  'SCOUTED',
  'SHORTLISTED',
  'CONTACTED',
  'SIGNED',
  'REJECTED',
  'LOST',
]);
const notes = [
  'Fast over the first meters.',
  'Reads the game well.',
  'Needs to get stronger.',
  'Calm under pressure.',
  'Works for the team.',
];

const dayMs = 86_400_000;
const at = (moment: number): string => new Date(moment).toISOString();
/** Only the first organizations are scouted, so that the amount does not grow with the demo data. */
const scoutedMax = 120;

function addReports(random: Random, demo: DemoData, entryId: string, from: number, add: AddRow): void {
  const today = Date.parse(demo.today);
  const rating = (): number => random.integer(4, 9);
  for (let count = random.integer(1, 3); count > 0; count -= 1) {
    const moment = from + Math.floor(random.fraction() * (today - from));
    add('scouting_report', {
      id: random.uuid(),
      accountId: demo.scouts.id,
      createdAt: at(moment),
      updatedAt: at(moment),
      entryId,
      date: at(moment).slice(0, 10),
      ratings: JSON.stringify({ technical: rating(), tactical: rating(), physical: rating(), mental: rating() }),
      recommendation: random.weighted([
        ['SIGN', 25],
        ['FOLLOW', 55],
        ['REJECT', 20],
      ]),
    });
  }
}

function addRequest(random: Random, demo: DemoData, athlete: DemoAthlete, stage: ShortlistStage, add: AddRow): void {
  const statuses = requestStatuses[stage];
  if (!statuses) return;
  const status = random.weighted(statuses);
  const today = Date.parse(demo.today);
  const daysAgo = status === 'EXPIRED' ? random.integer(31, 90) : random.integer(3, 20);
  const sent = today - daysAgo * dayMs;
  const answeredAt = status === 'ACCEPTED' || status === 'DECLINED' ? at(sent + random.integer(1, 2) * dayMs) : null;
  add('contact_request', {
    id: random.uuid(),
    accountId: demo.scouts.id,
    version: status === 'SENT' ? 1 : 2,
    createdAt: at(sent),
    updatedAt: answeredAt ?? at(status === 'EXPIRED' ? sent + responseWindowMs : sent),
    ownerAccountId: demo.account.id,
    athleteId: athlete.id,
    namedId: athlete.id,
    status,
    message: `We would like to talk about ${athlete.displayName}.`,
    answer: status === 'ACCEPTED' ? 'Yes, please call our office.' : null,
    answeredAt,
    expiresAt: at(sent + responseWindowMs),
  });
}

/** Adds some of the public athletes of a squad to the lists, with reports and requests. */
function addEntries({ athletes }: DemoSquad, ids: readonly string[], demo: DemoData, add: AddRow): void {
  const today = Date.parse(demo.today);
  for (const athlete of athletes.filter(isShown)) {
    const random = openRandom(`${athlete.id}/scouted`);
    const list = lists.findIndex(({ includes }) => includes(athlete));
    const shortlistId = ids[list];
    if (shortlistId === undefined || !random.chance(0.15)) continue;
    const from = Math.max(Date.parse(athlete.createdAt), today - 200 * dayMs);
    const created = from + Math.floor((random.fraction() * (today - from)) / 2);
    const stage = random.weighted(stages);
    const id = random.uuid();
    add('shortlist_entry', {
      id,
      accountId: demo.scouts.id,
      createdAt: at(created),
      updatedAt: at(created),
      shortlistId,
      athleteId: athlete.id,
      namedId: athlete.id,
      stage,
      priority: random.weighted([
        ['LOW', 25],
        ['MEDIUM', 50],
        ['HIGH', 25],
      ]),
      notes: random.chance(0.6) ? random.pick(notes) : null,
    });
    if (reportedStages.has(stage)) addReports(random, demo, id, created, add);
    addRequest(random, demo, athlete, stage, add);
  }
}

/** Returns the IDs of the shortlists. */
export function addShortlists(demo: DemoData, add: AddRow): readonly string[] {
  const { id: accountId, createdAt } = demo.scouts;
  const random = openRandom(`${accountId}/shortlists`);
  const ids = lists.map(() => random.uuid());
  for (const [index, { name, description }] of lists.entries())
    add('shortlist', { id: ids[index] ?? null, accountId, createdAt, updatedAt: createdAt, name, description });
  for (const squad of demo.squads()) {
    if (squad.organization.number > scoutedMax) break;
    addEntries(squad, ids, demo, add);
  }
  return ids;
}
