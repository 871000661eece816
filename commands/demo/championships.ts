/** Championships of the demo data: heats, semi-finals and finals of an event, over the days of a meet. */
import type {
  DemoContest,
  DemoEdition,
  DemoEntry,
  DemoMatch,
  DemoPart,
  DemoParticipant,
  DemoStage,
} from '../../schema/demo-edition.ts';
import type { CastAthlete } from './cast.ts';
import { kickoff, type EditionFrame, type Place } from './frame.ts';
import { addDays } from './moments.ts';
import { drawCity } from './places.ts';
import { programmes, type PhaseName, type ProgrammeEvent } from './programmes.ts';
import { drawParts, type Racer } from './races.ts';
import { homeEvent } from '../../subgraphs/athletes/demo/marks.ts';

const lanes = 8;
const entriesMax = 24;
const attemptsMax = 12;
const relayLegs = 4;
/** The best get the middle lanes. */
const laneOrder = [4, 5, 3, 6, 2, 7, 1, 8];
const lastsMinutes = 60;

interface Starter extends Racer {
  readonly participant: DemoParticipant;
}

type Source = Pick<EditionFrame, 'random' | 'cast'>;

function individuals({ random, cast }: Source, event: ProgrammeEvent, contestId: string): Starter[] {
  const eligible = ({ athlete }: CastAthlete) =>
    athlete.discipline === event.discipline && (event.homeEvents?.includes(homeEvent(athlete) ?? '') ?? true);
  return cast
    .athletes(event.sport, event.sex)
    .filter(eligible)
    .slice(0, event.start || event.laps > 1 ? entriesMax : attemptsMax)
    .map(({ athlete, team }) => {
      const id = random.uuid();
      const participant: DemoParticipant = {
        id,
        contestId,
        type: 'ATHLETE',
        athleteId: athlete.id,
        representsCountry: athlete.nationality,
        ...(team && { representsTeamId: team.id }),
      };
      return { participantId: id, athletes: [athlete], participant };
    });
}

function relays({ random, cast }: Source, event: ProgrammeEvent, contestId: string): Starter[] {
  const swimmers = cast
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

interface Run {
  readonly starter: Starter;
  readonly match: number;
  readonly part: DemoPart;
}

/** Who qualifies: in the pool the fastest overall, on the track the first of each race and then the fastest. */
function goingOn(runs: readonly Run[], races: number, places: number, byPlace: number): Set<Starter> {
  const fastest = runs
    .filter(({ part }) => part.mark)
    .toSorted((one, other) => (one.part.mark?.value ?? 0) - (other.part.mark?.value ?? 0));
  const first = Array.from({ length: races }, (_, match) =>
    fastest.filter((run) => run.match === match).slice(0, byPlace),
  ).flat();
  const next = fastest.filter((run) => !first.includes(run)).slice(0, Math.max(0, places - first.length));
  return new Set([...first, ...next].map(({ starter }) => starter));
}

const phaseNames: Readonly<Record<PhaseName, string>> = { HEATS: 'Heats', SEMIFINAL: 'Semi-finals', FINAL: 'Final' };
const raceNames: Readonly<Record<PhaseName, string>> = { HEATS: 'Heat', SEMIFINAL: 'Semi-final', FINAL: 'Final' };

function phasesOf(event: ProgrammeEvent, starters: number): PhaseName[] {
  if (event.relay || starters <= lanes || (!event.start && event.laps === 1 && event.distanceMeters === undefined))
    return ['FINAL'];
  return starters <= 2 * lanes ? ['HEATS', 'FINAL'] : ['HEATS', 'SEMIFINAL', 'FINAL'];
}

/** Distributes athletes in a snake order, so that the best do not meet early. */
function dealt<Item>(items: readonly Item[], piles: number): Item[][] {
  const into = Array.from({ length: piles }, (): Item[] => []);
  for (const [index, item] of items.entries()) {
    const turn = Math.floor(index / piles) % 2 === 0 ? index % piles : piles - 1 - (index % piles);
    into[turn]?.push(item);
  }
  return into;
}

function drawContest(
  frame: EditionFrame,
  event: ProgrammeEvent,
  place: Place,
): { contest: DemoContest; participants: DemoParticipant[]; matches: DemoMatch[] } | null {
  const { random, today, season } = frame;
  const contestId = random.uuid();
  const starters = event.relay ? relays(frame, event, contestId) : individuals(frame, event, contestId);
  if (starters.length < 3) return null;
  const phases = phasesOf(event, starters.length);
  const ids = phases.map(() => random.uuid());
  const stages: DemoStage[] = [];
  const matches: DemoMatch[] = [];
  let field: readonly Starter[] = starters;
  for (const [index, phase] of phases.entries()) {
    const stageId = ids[index] ?? '';
    const toStageId = ids[index + 1] ?? null;
    const races = phase === 'FINAL' ? 1 : Math.ceil(field.length / lanes);
    const places = phases[index + 1] === 'SEMIFINAL' ? 2 * lanes : lanes;
    const byPlace = event.sport === 'SWIMMING' || toStageId === null ? 0 : Math.max(1, Math.floor(places / races) - 1);
    const [day, time] = event.at[phase];
    const at = kickoff(today, addDays(season.startDate, day), time, place, lastsMinutes);
    const drawn = dealt(field, races).map((racers) => ({
      racers,
      parts: at.recordedAt === null ? null : drawParts(random, event, racers),
    }));
    const runs = drawn.flatMap(({ racers, parts }, match) =>
      racers.flatMap((starter, racer): Run[] => (parts?.[racer] ? [{ starter, match, part: parts[racer] }] : [])),
    );
    const through = toStageId === null ? null : goingOn(runs, races, places, byPlace);
    for (const [race, { racers, parts }] of drawn.entries()) {
      const entries = racers.map((starter, racer): DemoEntry => {
        const part = parts?.[racer];
        const lane = event.distanceMeters === undefined || event.distanceMeters > 800 ? undefined : laneOrder[racer];
        return {
          id: random.uuid(),
          participantId: starter.participantId,
          ...(lane !== undefined && { lane }),
          ...(part && { part: through ? { ...part, qualified: through.has(starter) } : part }),
        };
      });
      matches.push({
        id: random.uuid(),
        contestId,
        stageId,
        round: races > 1 ? `${raceNames[phase]} ${race + 1}` : raceNames[phase],
        date: at.date,
        startTime: at.startTime,
        timeZone: at.timeZone,
        status: at.status,
        venue: {
          name: `${place.city} ${event.sport === 'SWIMMING' ? 'Aquatic Centre' : 'Athletics Stadium'}`,
          city: place.city,
          country: place.country,
          neutral: true,
        },
        ...(event.distanceMeters !== undefined && { format: { distanceMeters: event.distanceMeters } }),
        entries,
        ...(at.recordedAt !== null && { result: { id: random.uuid(), status: 'OFFICIAL', at: at.recordedAt } }),
      });
    }
    stages.push({
      id: stageId,
      name: phaseNames[phase],
      type: phase,
      ...(toStageId !== null && {
        advancement: [
          ...(byPlace > 0 ? [{ by: 'PLACE', count: byPlace, toStageId } as const] : []),
          { by: 'MARK', count: places - byPlace * races, toStageId } as const,
        ],
      }),
    });
    const order = new Map(runs.map(({ starter, part }) => [starter, part.mark?.value ?? Infinity]));
    if (through)
      field = field.filter((each) => through.has(each)).toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
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
export function drawChampionships(frame: EditionFrame): DemoEdition | null {
  const { random, competition, season } = frame;
  const country = competition.sport === 'SWIMMING' ? 'ES' : 'DE';
  const place: Place = { country, city: drawCity(random, country) };
  const drawn = programmes
    .filter(({ sport }) => sport === competition.sport)
    .flatMap((event) => drawContest(frame, event, place) ?? []);
  if (drawn.length === 0) return null;
  return {
    competition,
    season,
    contests: drawn.map(({ contest }) => contest),
    participants: drawn.flatMap(({ participants }) => participants),
    matches: drawn.flatMap(({ matches }) => matches),
    adjustments: [],
  };
}
