/** Reads a swimming championship as contests and stages with a match per heat; swimmers become athletes, relays are entered by country. */
import { keyOf } from './key.ts';
import { step, stepOfSeason, type Draft, type Ids, type Plan } from './plan.ts';
import type { ExternalId } from './row.ts';
import type { SwimEvent } from './swim-event.ts';
import { readSwims, type Swim, type SwimStage, type Swimmer } from './swims.ts';

const scheme = 'SWIMMER';

export interface SwimmingOptions {
  /** Name of the meet. */
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string;
  /** States that swimmers of unknown age are adults; has an effect for accounts with a verified organization. */
  readonly adultsConfirmed: boolean;
}

const sexOf: Readonly<Record<string, string>> = { MEN: 'MALE', WOMEN: 'FEMALE' };
const stageNames = { HEATS: 'Heats', SEMIFINAL: 'Semifinals', FINAL: 'Final' } as const;

/** A swim-off is named after the previous stage: an event may have two. */
const stageName = (stage: SwimStage, before: SwimStage | undefined): string =>
  stage.event.stage === 'SWIM_OFF'
    ? `Swim-off after ${before && before.event.stage !== 'SWIM_OFF' ? stageNames[before.event.stage].toLowerCase() : 'stage'}`
    : stageNames[stage.event.stage];

interface NamedStage extends SwimStage {
  readonly name: string;
  readonly key: string;
  /** Keys of the swimmers in the next stage towards the title. */
  readonly next: ReadonlySet<string> | null;
  readonly orderInContest: number;
}

const keysOf = (stage: SwimStage): Set<string> => new Set([...stage.heats.values()].flat().map(({ swimmer }) => swimmer.key));

function stagesOf(own: readonly SwimStage[], contestKey: string): NamedStage[] {
  const phases = own.filter(({ event }) => event.stage !== 'SWIM_OFF');
  return own.map((stage, index) => {
    const name = stageName(
      stage,
      phases.findLast(({ order }) => order < stage.order),
    );
    const following = stage.event.stage === 'SWIM_OFF' ? undefined : phases.find(({ order }) => order > stage.order);
    return {
      ...stage,
      name,
      key: `${contestKey}/${keyOf(name)}`,
      next: following ? keysOf(following) : null,
      orderInContest: index,
    };
  });
}

function athleteOf({ name, nation, country, age }: Swimmer, event: SwimEvent, year: number, adultsConfirmed: boolean): object {
  return {
    displayName: name,
    sex: sexOf[event.category] ?? 'UNSPECIFIED',
    nationalities: country === null ? [] : [country],
    ...(country !== null && { sportingNationality: nation }),
    ...(age !== null ? { birthYear: year - age } : adultsConfirmed && { adultConfirmed: true }),
    sports: [{ sport: 'SWIMMING', discipline: 'POOL', primary: true, level: 'INTERNATIONAL' }],
    status: 'ACTIVE',
  };
}

function partOf(
  { rank, timeMs, invalidResultMark, splitsMs, reactionTimeMs, swimmer }: Swim,
  stage: NamedStage,
  participantId: string,
): object {
  const isLast = stage.event.stage === 'FINAL' || stage.event.stage === 'SWIM_OFF';
  return {
    participantId,
    ...(timeMs === null ? { invalidResultMark } : { mark: { value: timeMs } }),
    // Ranks in heats are over all heats; they are ranks of the race only where there is one race.
    ...(isLast && rank !== null && { rank }),
    ...(splitsMs !== null && { splits: splitsMs }),
    ...(reactionTimeMs !== null && { reactionTimeMs }),
    ...(stage.next !== null && { qualified: stage.next.has(swimmer.key) }),
  };
}

/**
 * Reads the text of a results file.
 * @throws {Error} when the text does not have the format of worlds2022.csv.
 */
export function readSwimming(text: string, options: SwimmingOptions): Plan {
  const { stages, rejected } = readSwims(text);
  if (stages.length === 0) throw new Error('The file has no swim that can be read');
  const year = Number(options.startDate.slice(0, 4));
  const competition = { scheme, value: keyOf(options.name) };
  const season = { scheme, value: `${competition.value}/${year}` };
  const contests = [...Map.groupBy(stages, ({ event }) => event.contest)].map(([name, own], order) => {
    const key = `${season.value}/${keyOf(name)}`;
    return { name, key, order, event: own[0]?.event, stages: stagesOf(own, key) };
  });
  const swims = contests.flatMap(({ stages: own, key }) =>
    own.flatMap((stage) => [...stage.heats.values()].flat().map((swim) => ({ swim, event: stage.event, contest: key }))),
  );
  const participantKey = (swimmer: Swimmer, event: SwimEvent, contest: string): string =>
    event.legs > 1 ? `${contest}/${swimmer.key}` : `${season.value}/${swimmer.key}`;
  const first = <Entry>(entries: readonly Entry[], keyOfEntry: (entry: Entry) => string): Entry[] =>
    [...Map.groupBy(entries, keyOfEntry).values()].flatMap((own) => own.slice(0, 1));
  const individual = swims.filter(({ event }) => event.legs === 1);
  // Finals have no ages, so the age comes from any swim of the swimmer that has one.
  const swimmers = first(
    individual.toSorted((one, other) => Number(one.swim.swimmer.age === null) - Number(other.swim.swimmer.age === null)),
    ({ swim }) => swim.swimmer.key,
  );
  const participants = first(swims, ({ swim, event, contest }) => participantKey(swim.swimmer, event, contest));
  const draft = (place: string, label: string, value: string, members: Draft['members']): Draft => ({
    place,
    label,
    externalId: { scheme, value },
    members,
  });
  const file = (id: ExternalId, label: string, members: Draft['members']): Draft[] => [draft('file', label, id.value, members)];
  const heatDraft = (stage: NamedStage, contest: string, heat: number, own: readonly Swim[]): Draft => {
    const idOf = (ids: Ids, { swimmer }: Swim): string => ids.of('participants', participantKey(swimmer, stage.event, contest));
    const inOrder = own.toSorted((one, other) => one.lane - other.lane);
    const round = stage.heats.size > 1 ? `${stage.event.stage === 'SEMIFINAL' ? 'Semifinal' : 'Heat'} ${heat}` : stage.name;
    return draft(own[0]?.place ?? stage.name, `${stage.event.contest}, ${round}`, `${stage.key}/${heat}`, (ids) => ({
      seasonId: ids.of('seasons', season.value),
      stageId: ids.of('stages', stage.key),
      round,
      participants: inOrder.map((swim) => ({ participantId: idOf(ids, swim), lane: swim.lane })),
      status: 'FINISHED',
      result: { status: 'OFFICIAL', participants: inOrder.map((swim) => partOf(swim, stage, idOf(ids, swim))) },
    }));
  };

  return {
    steps: [
      step(
        'athletes',
        '/athletes',
        swimmers.map(({ swim: { place, swimmer }, event }) =>
          draft(place, swimmer.name, swimmer.key, () => ({ ...athleteOf(swimmer, event, year, options.adultsConfirmed) })),
        ),
      ),
      step(
        'competitions',
        '/competitions',
        file(competition, options.name, () => ({
          name: options.name,
          sport: 'SWIMMING',
          discipline: 'POOL',
          type: 'MEET',
          level: 'INTERNATIONAL',
          status: 'PUBLISHED',
        })),
      ),
      step(
        'seasons',
        '/competitions/seasons',
        file(season, String(year), (ids) => ({
          competitionId: ids.of('competitions', competition.value),
          name: String(year),
          startDate: options.startDate,
          endDate: options.endDate,
          status: 'IN_PROGRESS',
        })),
      ),
      stepOfSeason(
        'contests',
        season,
        'contests',
        contests.map(({ name, key, order, event }) =>
          draft('event', name, key, () => ({
            name,
            eventCode: event?.eventCode,
            category: event?.category,
            course: 'LONG_COURSE',
            distanceMeters: event?.distanceMeters,
            relay: (event?.legs ?? 1) > 1,
            order,
          })),
        ),
      ),
      stepOfSeason(
        'stages',
        season,
        'stages',
        contests.flatMap(({ name, key, stages: own }) =>
          own.map((stage) =>
            draft('event', `${name}, ${stage.name}`, stage.key, (ids) => ({
              contestId: ids.of('contests', key),
              name: stage.name,
              type: stage.event.stage,
              order: stage.orderInContest,
            })),
          ),
        ),
      ),
      stepOfSeason(
        'participants',
        season,
        'participants',
        participants.map(({ swim: { place, swimmer }, event, contest }) =>
          draft(place, swimmer.name, participantKey(swimmer, event, contest), (ids) => ({
            ...(event.legs > 1
              ? { type: 'RELAY', contestId: ids.of('contests', contest), name: swimmer.name }
              : { type: 'ATHLETE', athleteId: ids.of('athletes', swimmer.key) }),
            ...(swimmer.country !== null && { representsCountry: swimmer.country }),
          })),
        ),
      ),
      step('matches', '/competitions/matches', [
        ...rejected,
        ...contests.flatMap(({ key, stages: own }) =>
          own.flatMap((stage) => [...stage.heats].map(([heat, swimsOfHeat]) => heatDraft(stage, key, heat, swimsOfHeat))),
        ),
      ]),
    ],
    finished: [season.value],
  };
}
