/** Championships of the demo data: heats, semi-finals and finals of an event, over the days of a meet. */
import type {
  DemoContest,
  DemoUncountedEdition,
  DemoEntry,
  DemoMatch,
  DemoPart,
  DemoParticipant,
  DemoStage,
} from '../../schema/demo-edition.ts';
import { homeEvent } from '../../subgraphs/athletes/demo/marks.ts';
import type { RosterAthlete } from './roster.ts';
import {
  athleteParticipant,
  editionOf,
  kickoff,
  officialResult,
  scheduleOf,
  type GeneratedContest,
  type EditionFrame,
  type Place,
} from './frame.ts';
import { addDays } from './moments.ts';
import {
  distributeInSnakeOrder,
  formatOf,
  lanes,
  planPhases,
  qualifiersOf,
  raceName,
  stageOf,
  type Phase,
  type Run,
} from './phases.ts';
import { generateCity } from './places.ts';
import { programmes, type ProgrammeEvent } from './programmes.ts';
import { generateParts, type Racer } from './races.ts';

const entriesMax = 64;
const attemptsMax = 12;
const relayLegs = 4;
/** The best get the middle lanes. */
const laneOrder = [4, 5, 3, 6, 2, 7, 1, 8];
const lanesUntilMeters = 800;
const lastsMinutes = 60;

interface Starter extends Racer {
  readonly participant: DemoParticipant;
}

type Source = Pick<EditionFrame, 'random' | 'roster'>;

function individuals({ random, roster }: Source, event: ProgrammeEvent, contestId: string): Starter[] {
  const eligible = ({ athlete }: RosterAthlete) =>
    athlete.discipline === event.discipline && (event.homeEvents?.includes(homeEvent(athlete) ?? '') ?? true);
  return roster
    .athletes(event.sport, event.sex)
    .filter(eligible)
    .slice(0, event.start || event.laps > 1 ? entriesMax : attemptsMax)
    .map((entrant) => {
      const participant = athleteParticipant(random, contestId, entrant);
      return { participantId: participant.id, athletes: [entrant.athlete], participant };
    });
}

function relays({ random, roster }: Source, event: ProgrammeEvent, contestId: string): Starter[] {
  const swimmers = roster
    .athletes(event.sport, event.sex)
    .filter(({ athlete, team }) => athlete.discipline === event.discipline && team);
  return [...Map.groupBy(swimmers, ({ team }) => team?.id ?? '')]
    .flatMap(([teamId, own]) => {
      const athletes = own.slice(0, relayLegs).map(({ athlete }) => athlete);
      if (athletes.length < relayLegs) return [];
      const id = random.uuid();
      const participant: DemoParticipant = {
        id,
        contestId,
        type: 'RELAY',
        name: own[0]?.team?.name ?? '',
        memberIds: athletes.map((athlete) => athlete.id),
        representsTeamId: teamId,
      };
      return [{ participantId: id, athletes, participant }];
    })
    .slice(0, lanes);
}

/** One race of a phase; without parts while it is not over. */
interface Race {
  readonly racers: readonly Starter[];
  readonly parts: readonly DemoPart[] | null;
}

const runsOf = (races: readonly Race[]): Run<Starter>[] =>
  races.flatMap(({ racers, parts }, race) =>
    racers.flatMap((starter, racer) => (parts?.[racer] ? [{ starter, race, part: parts[racer] }] : [])),
  );

const laneOf = ({ distanceMeters }: ProgrammeEvent, racer: number): number | undefined =>
  distanceMeters === undefined || distanceMeters > lanesUntilMeters ? undefined : laneOrder[racer];

/** The entries of a race; with `qualifiers`, their parts say who advances. */
function entriesOf(
  { random }: EditionFrame,
  event: ProgrammeEvent,
  { racers, parts }: Race,
  qualifiers: ReadonlySet<Starter> | null,
): DemoEntry[] {
  return racers.map((starter, racer) => {
    const part = parts?.[racer];
    const lane = laneOf(event, racer);
    return {
      id: random.uuid(),
      participantId: starter.participantId,
      ...(lane !== undefined && { lane }),
      ...(part && { part: qualifiers ? { ...part, qualified: qualifiers.has(starter) } : part }),
    };
  });
}

/** The starters of the next phase, best mark first. */
function advance(field: readonly Starter[], runs: readonly Run<Starter>[], qualifiers: ReadonlySet<Starter>): Starter[] {
  const marks = new Map(runs.map(({ starter, part }) => [starter, part.mark?.value ?? Infinity]));
  return field
    .filter((starter) => qualifiers.has(starter))
    .toSorted((one, other) => (marks.get(one) ?? 0) - (marks.get(other) ?? 0));
}

/** The stage and the matches of one phase, and the starters of the next one. */
function generatePhase(
  frame: EditionFrame,
  { event, contestId, place }: { readonly event: ProgrammeEvent; readonly contestId: string; readonly place: Place },
  phase: Phase,
  field: readonly Starter[],
): { stage: DemoStage; matches: DemoMatch[]; next: readonly Starter[] } {
  const { random, today, season } = frame;
  const [day, time] = event.at[phase.name];
  const at = kickoff(today, addDays(season.startDate, day), time, place, lastsMinutes);
  const format = formatOf(phase, field.length);
  const races = distributeInSnakeOrder(field, format.races).map((racers): Race => ({
    racers,
    parts: at.recordedAt === null ? null : generateParts(random, event, racers),
  }));
  const runs = runsOf(races);
  const qualifiers = phase.toStageId === null ? null : qualifiersOf(runs, phase, format);
  const venueName = `${place.city} ${event.sport === 'SWIMMING' ? 'Aquatic Centre' : 'Athletics Stadium'}`;
  const matches = races.map((race, index): DemoMatch => {
    const entries = entriesOf(frame, event, race, qualifiers);
    return {
      id: random.uuid(),
      contestId,
      stageId: phase.stageId,
      round: raceName(phase, format, index),
      ...scheduleOf(at),
      venue: { name: venueName, city: place.city, country: place.country, neutral: true },
      ...(event.distanceMeters !== undefined && { format: { distanceMeters: event.distanceMeters } }),
      entries,
      ...officialResult(random, at),
    };
  });
  return { stage: stageOf(phase, format), matches, next: qualifiers ? advance(field, runs, qualifiers) : field };
}

/** Null when the event has fewer than three starters. */
function generateContest(frame: EditionFrame, event: ProgrammeEvent, place: Place): GeneratedContest | null {
  const contestId = frame.random.uuid();
  const starters = event.relay ? relays(frame, event, contestId) : individuals(frame, event, contestId);
  if (starters.length < 3) return null;
  const stages: DemoStage[] = [];
  const matches: DemoMatch[] = [];
  let field: readonly Starter[] = starters;
  for (const phase of planPhases(frame.random, event, starters.length)) {
    const generated = generatePhase(frame, { event, contestId, place }, phase, field);
    stages.push(generated.stage);
    matches.push(...generated.matches);
    field = generated.next;
  }
  const contest: DemoContest = {
    id: contestId,
    name: event.title,
    eventCode: event.eventCode,
    category: event.sex === 'MALE' ? 'MEN' : 'WOMEN',
    stages,
    ...(event.course !== undefined && { course: event.course }),
    ...(event.distanceMeters !== undefined && { distanceMeters: event.distanceMeters }),
    ...(event.relay && { relay: true }),
  };
  return { contest, participants: starters.map(({ participant }) => participant), matches };
}

/** Null when no event has three starters. */
export function generateChampionships(frame: EditionFrame): DemoUncountedEdition | null {
  const { random, competition } = frame;
  const country = competition.sport === 'SWIMMING' ? 'ES' : 'DE';
  const place: Place = { country, city: generateCity(random, country) };
  const generated = programmes
    .filter(({ sport }) => sport === competition.sport)
    .flatMap((event) => generateContest(frame, event, place) ?? []);
  return editionOf(frame, generated);
}
