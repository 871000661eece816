/** Demo data of absences: some of the spring, and some that begin on the reference day, so that no absent athlete played. */
import { openRandom, type Random } from '../../../platform/random.ts';
import type { DemoAthlete, DemoData } from '../../../schema/demo.ts';
import type { AddRow } from '../../runtime/area-seed.ts';
import type { AbsenceRow } from '../absences/rows.ts';

const adultAge = 18;
const share = 0.06;
const injuries = ['Hamstring strain', 'Ankle sprain', 'Knee injury', 'Shoulder injury', 'Broken finger'] as const;
const dayMs = 86_400_000;
const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

type Reason = Pick<AbsenceRow, 'kind' | 'disclosure' | 'reason' | 'matchCount'> & { readonly days: number };

function generateReason(random: Random): Reason {
  const kind = random.weighted([
    ['INJURY', 60],
    ['ILLNESS', 15],
    ['SUSPENSION', 15],
    ['PERSONAL', 10],
  ] as const);
  if (kind === 'SUSPENSION') {
    const matchCount = random.integer(1, 3);
    return { kind, disclosure: 'ALL', reason: 'Red card', matchCount, days: matchCount * 7 };
  }
  const disclosure = random.weighted([
    ['OWNER', 25],
    ['DATES', 35],
    ['ALL', 40],
  ] as const);
  const reason = kind === 'INJURY' ? random.pick(injuries) : kind === 'ILLNESS' ? 'Flu' : null;
  return { kind, disclosure, reason, matchCount: null, days: kind === 'INJURY' ? random.integer(10, 60) : random.integer(3, 14) };
}

/** Adds an absence of some adults. */
export function addAbsence({ id, age, status, membership }: DemoAthlete, demo: DemoData, add: AddRow): void {
  const random = openRandom(`${id}/absence`);
  if (age < adultAge || status !== 'ACTIVE' || membership?.status !== 'ACTIVE' || !random.chance(share)) return;
  const { days, ...reason } = generateReason(random);
  const isCurrent = random.chance(0.5);
  const startDate = isCurrent ? demo.today : daysAfter(`${demo.today.slice(0, 4)}-03-01`, random.integer(0, 40));
  const at = isCurrent ? demo.today : startDate;
  const isHealth = reason.kind === 'INJURY' || reason.kind === 'ILLNESS';
  const consent = {
    textVersion: '2026-01',
    evidence: { kind: 'SIGNED_FORM', reference: `demo-${random.integer(100, 999)}` },
    givenOn: startDate,
  };
  add('absence', {
    id: random.uuid(),
    accountId: demo.account.id,
    createdAt: at,
    updatedAt: at,
    athleteId: id,
    ...reason,
    startDate,
    expectedEndDate: isCurrent ? daysAfter(startDate, days) : null,
    endDate: isCurrent ? null : daysAfter(startDate, days),
    healthConsent: isHealth && reason.disclosure === 'ALL' ? JSON.stringify(consent) : null,
  });
}
