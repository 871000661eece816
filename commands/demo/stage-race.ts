/** A cycling stage race of the demo data: flat and mountain stages and a time trial, with bonuses, points, and withdrawals. */
import type { Random } from '../../platform/random.ts';
import type {
  DemoUncountedEdition,
  DemoEntry,
  DemoMatch,
  DemoPart,
  DemoParticipant,
  DemoStage,
} from '../../schema/demo-edition.ts';
import type { DemoAthlete } from '../../schema/demo.ts';
import { athleteParticipant, kickoff, officialResult, scheduleOf, type EditionFrame } from './frame.ts';
import type { International } from './internationals.ts';
import type { RosterAthlete } from './roster.ts';
import { addDays } from './moments.ts';
import { generateCity } from './places.ts';
import { stageKinds, type StageKind } from './stage-kinds.ts';

const course = [
  { kind: 'FLAT', distanceMeters: 168_400 },
  { kind: 'HILLY', distanceMeters: 181_200 },
  { kind: 'TIME_TRIAL', distanceMeters: 22_600 },
  { kind: 'MOUNTAIN', distanceMeters: 152_900 },
  { kind: 'FLAT', distanceMeters: 174_000 },
  { kind: 'MOUNTAIN', distanceMeters: 139_500 },
] as const;

const ridersMax = 40;
const youthUntil = 26;
const lastsMinutes = 420;

interface Rider {
  readonly athlete: DemoAthlete;
  readonly participant: DemoParticipant & { readonly bib: string };
}

/** Times in milliseconds, fastest first; whole seconds except in time trials. */
function generateTimes(
  random: Random,
  kind: StageKind,
  distanceMeters: number,
  riders: readonly Rider[],
): { rider: Rider; timeMs: number }[] {
  const best = distanceMeters / kind.metresPerSecond;
  const speciality = kind.text === 'flat' ? 'SPRINTER' : kind.text === 'individual time trial' ? 'TIME_TRIALIST' : 'CLIMBER';
  const arrivals = riders
    .map((rider) => {
      const special = rider.athlete.positions[0] === speciality ? 0.15 : 0;
      const missing = 1.3 - rider.athlete.ability - special + random.normal(0, kind.luck);
      return { rider, seconds: best + (Math.max(0, missing) * kind.lossPerHour * best) / 3600 + random.fraction() };
    })
    .toSorted((one, other) => one.seconds - other.seconds);
  if (kind.bunchSeconds === 0) return arrivals.map(({ rider, seconds }) => ({ rider, timeMs: Math.round(seconds * 100) * 10 }));
  let bunch = 0;
  let before = -Infinity;
  return arrivals.map(({ rider, seconds }) => {
    if (seconds - before > kind.bunchSeconds) bunch = Math.floor(seconds);
    before = seconds;
    return { rider, timeMs: bunch * 1000 };
  });
}

function partOf(kind: StageKind, to: string, timeMs: number, place: number): DemoPart {
  const climb = kind.climb[place];
  const points = kind.points[place];
  const bonusSeconds = kind.bonusSeconds[place];
  return {
    mark: { value: timeMs, unit: 'ms' },
    rank: place + 1,
    ...(points !== undefined && { points }),
    ...(bonusSeconds !== undefined && { bonusMs: bonusSeconds * 1000 }),
    ...(climb !== undefined && { bonusPoints: [{ type: `CLIMB_${kind.category ?? '4'}:${to}`, points: climb }] }),
  };
}

function enterRiders(random: Random, contestId: string, found: readonly RosterAthlete[]): Rider[] {
  return found.map((entrant, index) => ({
    athlete: entrant.athlete,
    participant: {
      ...athleteParticipant(random, contestId, entrant),
      ...(entrant.athlete.age < youthUntil && { entry: 'YOUTH' }),
      bib: String(index + 1),
    },
  }));
}

/** Teams count in the team classification. */
function enterTeams(random: Random, contestId: string, found: readonly RosterAthlete[]): DemoParticipant[] {
  const teams = new Map(found.flatMap(({ team }) => (team ? [[team.id, team]] : [])));
  return [...teams.values()].map(({ id, name }) => ({ id: random.uuid(), contestId, type: 'TEAM', teamId: id, name }));
}

interface StageOfRace {
  readonly contestId: string;
  readonly stageId: string;
  /** Position in the race, from 0. */
  readonly index: number;
  readonly kind: StageKind;
  readonly distanceMeters: number;
  readonly from: string;
  readonly to: string;
}

interface Leaver {
  readonly rider: Rider | undefined;
  readonly invalidResultMark: 'DNF' | 'DNS';
}

/** A stage of the race, and the riders of the next stage. */
function generateStage(
  { random, today, season }: EditionFrame,
  { contestId, stageId, index, kind, distanceMeters, from, to }: StageOfRace,
  field: readonly Rider[],
  leaver: Leaver | undefined,
): { match: DemoMatch; remaining: readonly Rider[] } {
  const at = kickoff(today, addDays(season.startDate, index), '12:15', { country: 'FR' }, lastsMinutes);
  const racing = field.filter((rider) => rider !== leaver?.rider);
  const arrivals = at.recordedAt === null ? [] : generateTimes(random, kind, distanceMeters, racing);
  const parts = new Map(arrivals.map(({ rider, timeMs }, order) => [rider, partOf(kind, to, timeMs, order)]));
  if (leaver?.rider && at.recordedAt !== null) parts.set(leaver.rider, { invalidResultMark: leaver.invalidResultMark });
  const match: DemoMatch = {
    id: random.uuid(),
    contestId,
    stageId,
    round: `Stage ${index + 1}`,
    ...scheduleOf(at),
    venue: { name: `${from} – ${to}`, city: to, country: 'FR', neutral: true },
    format: { distanceMeters },
    entries: field.map((rider): DemoEntry => {
      const part = parts.get(rider);
      return { id: random.uuid(), participantId: rider.participant.id, bib: rider.participant.bib, ...(part && { part }) };
    }),
    ...officialResult(random, at),
  };
  return { match, remaining: at.recordedAt === null ? field : racing };
}

/** A time penalty on the second stage for a rider from the middle of the remaining field. */
function generatePenalty(
  { random, season }: EditionFrame,
  { id: stageId }: DemoStage,
  { participant }: Rider,
): DemoUncountedEdition['adjustments'][number] {
  return {
    id: random.uuid(),
    stageId,
    participantId: participant.id,
    timeMs: 20_000,
    reason: 'Drafting behind a car.',
    at: `${addDays(season.startDate, 1)}T18:00:00.000Z`,
  };
}

/** Null when there are too few riders. */
export function generateStageRace(frame: EditionFrame, { sex }: Pick<International, 'sex'>): DemoUncountedEdition | null {
  const { random, competition, season, roster } = frame;
  const contestId = random.uuid();
  const found = roster
    .athletes('CYCLING', sex ?? 'MALE')
    .filter(({ athlete }) => athlete.discipline === 'ROAD')
    .slice(0, ridersMax);
  if (found.length < 4) return null;
  const inTeams = found.toSorted((one, other) => ((one.team?.id ?? '~') < (other.team?.id ?? '~') ? -1 : 1));
  const riders = enterRiders(random, contestId, inTeams);
  const towns = Array.from({ length: course.length + 1 }, () => generateCity(random, 'FR'));
  const [crashed, ill] = random.sample(riders.slice(3), 2);
  const leavers = new Map<number, Leaver>([
    [1, { rider: crashed, invalidResultMark: 'DNF' }],
    [3, { rider: ill, invalidResultMark: 'DNS' }],
  ]);
  const stages: DemoStage[] = [];
  const matches: DemoMatch[] = [];
  let field: readonly Rider[] = riders;
  for (const [index, { kind: code, distanceMeters }] of course.entries()) {
    const kind: StageKind = stageKinds[code];
    const stageId = random.uuid();
    const [from = '', to = ''] = [towns[index], code === 'TIME_TRIAL' ? towns[index] : towns[index + 1]];
    stages.push({ id: stageId, name: `Stage ${index + 1}: ${from} – ${to} (${kind.text})`, type: 'RACE_STAGE' });
    const stage = { contestId, stageId, index, kind, distanceMeters, from, to };
    const { match, remaining } = generateStage(frame, stage, field, leavers.get(index));
    matches.push(match);
    field = remaining;
  }
  const fined = field[Math.floor(field.length / 2)];
  const [, second] = stages;
  return {
    competition,
    season,
    contests: [
      {
        id: contestId,
        name: `${competition.name} ${season.name}`,
        eventCode: 'STAGE_RACE',
        category: competition.category,
        stages,
      },
    ],
    participants: [...riders.map(({ participant }) => participant), ...enterTeams(random, contestId, inTeams)],
    matches,
    adjustments: fined && second ? [generatePenalty(frame, second, fined)] : [],
  };
}
