/** Reads the general classifications of the Tour de France as a competition with a season and a result per year, and riders as athletes. */
import { keyOf } from './key.ts';
import { step, stepOfSeason, type Draft, type Plan, type Step } from './plan.ts';
import type { Rejection } from './row.ts';
import { readTable, type TableRecord } from './table.ts';

const scheme = 'TOUR_DE_FRANCE';
const columns = [
  'race',
  'year',
  'rank',
  'rider',
  'bib',
  'team',
  'total_seconds',
  'gap_seconds',
  'distance_km',
  'stages',
] as const;

export interface TourOptions {
  /** States that the riders are adults, because the file has no ages. Has an effect for accounts with a verified organization. */
  readonly adultsConfirmed: boolean;
}

const races: Readonly<Record<string, { readonly name: string; readonly category: string; readonly sex: string }>> = {
  men: { name: 'Tour de France', category: 'MEN', sex: 'MALE' },
  women: { name: 'Tour de France Femmes', category: 'WOMEN', sex: 'FEMALE' },
};

interface Ride {
  readonly place: string;
  readonly race: string;
  readonly year: string;
  readonly rank: number;
  readonly rider: string;
  readonly bib: string;
  readonly team: string;
  readonly seconds: number;
  readonly gapSeconds: number;
  readonly distanceKilometers: number;
}

const isWhole = (text: string): boolean => /^\d{1,7}$/.test(text);

function rideOf({ place, values }: TableRecord<(typeof columns)[number]>): Ride | Rejection {
  const { race, year, rank, rider, bib, team } = values;
  const reasons = [
    ...(races[race] ? [] : [`unknown race: ${race || '(empty)'}`]),
    ...(/^\d{4}$/.test(year) ? [] : [`invalid year: ${year || '(empty)'}`]),
    ...(keyOf(rider) === '' ? ['has no rider'] : []),
    ...(isWhole(rank) && isWhole(values.total_seconds) && isWhole(values.gap_seconds) ? [] : ['has no place, time or gap']),
  ];
  if (reasons.length > 0) return { place, label: rider, reasons };
  const [seconds, gapSeconds] = [Number(values.total_seconds), Number(values.gap_seconds)];
  return {
    place,
    race,
    year,
    rank: Number(rank),
    rider,
    bib,
    team,
    seconds,
    gapSeconds,
    distanceKilometers: Number(values.distance_km),
  };
}

const athleteKey = ({ race, rider }: Ride): string => `${race}/${keyOf(rider)}`;

const draft = (place: string, label: string, value: string, members: Draft['members']): Draft => ({
  place,
  label,
  externalId: { scheme, value },
  members,
});

/** A stripped first place is missing in the file, but gaps refer to its time: the place stays in the result without a rider. */
function vacantSeconds(rides: readonly Ride[]): number | null {
  const [first] = rides;
  return first && !rides.some(({ rank }) => rank === 1) ? first.seconds - first.gapSeconds : null;
}

interface Year {
  readonly key: string;
  readonly rides: readonly Ride[];
  readonly vacant: number | null;
}

const label = 'General classification';
const participantKey = ({ key }: Year, ride: Ride): string => `${key}/${keyOf(ride.rider)}`;
const vacantKey = ({ key }: Year): string => `${key}/first-place`;

/** The rows of a season. */
function stepsOfYear(year: Year): Step[] {
  const { key, rides, vacant } = year;
  const season = { scheme, value: key };
  const meters = (rides[0]?.distanceKilometers ?? 0) * 1000;
  const file = (members: Draft['members']): Draft[] => [draft(rides[0]?.place ?? 'file', label, `${key}/gc`, members)];
  return [
    stepOfSeason(
      'contests',
      season,
      'contests',
      file(() => ({ name: label, eventCode: 'STAGE_RACE', ...(meters > 0 && { distanceMeters: meters }) })),
    ),
    stepOfSeason(
      'stages',
      season,
      'stages',
      file((ids) => ({ contestId: ids.of('contests', `${key}/gc`), name: label, type: 'RACE_STAGE' })),
    ),
    stepOfSeason('participants', season, 'participants', [
      ...(vacant === null
        ? []
        : [draft('file', 'first place, taken away', vacantKey(year), () => ({ type: 'ATHLETE', unnamed: true }))]),
      ...rides.map((ride) =>
        draft(ride.place, ride.rider, participantKey(year, ride), (ids) => ({
          type: 'ATHLETE',
          athleteId: ids.of('athletes', athleteKey(ride)),
          ...(ride.team !== '' && { representsName: ride.team }),
          ...(ride.bib !== '' && { bib: ride.bib }),
        })),
      ),
    ]),
  ];
}

/** The whole race as one match: the file has no stages. */
function matchOfYear(year: Year): Draft {
  const { key, rides, vacant } = year;
  return draft(rides[0]?.place ?? 'file', `${label} ${key}`, `${key}/gc`, (ids) => {
    const first = vacant === null ? [] : [{ participantId: ids.of('participants', vacantKey(year)) }];
    const idOf = (ride: Ride): string => ids.of('participants', participantKey(year, ride));
    return {
      seasonId: ids.of('seasons', key),
      stageId: ids.of('stages', `${key}/gc`),
      round: label,
      participants: [
        ...first,
        ...rides.map((ride) => ({ participantId: idOf(ride), ...(ride.bib !== '' && { bib: ride.bib }) })),
      ],
      status: 'FINISHED',
      result: {
        status: 'OFFICIAL',
        participants: [
          ...first.map((entry) => ({ ...entry, rank: 1, mark: { value: (vacant ?? 0) * 1000 }, vacated: true })),
          ...rides.map((ride) => ({ participantId: idOf(ride), rank: ride.rank, mark: { value: ride.seconds * 1000 } })),
        ],
      },
    };
  });
}

/**
 * Reads the text of tdf_gc.csv.
 * @throws {Error} when a column is missing, or every row is invalid.
 */
export function readTour(text: string, { adultsConfirmed }: TourOptions): Plan {
  const table = readTable(text, columns);
  const mapped = table.records.map(rideOf);
  const rides = mapped.filter((entry) => 'seconds' in entry);
  if (rides.length === 0) throw new Error('The file has no row that can be read');
  const years = [...Map.groupBy(rides, ({ race, year }) => `${race}/${year}`)];
  const parts = years.map(([key, own]): Year => ({ key, rides: own, vacant: vacantSeconds(own) }));
  const riders = [...Map.groupBy(rides, athleteKey)].flatMap(([key, [ride]]) => (ride ? [{ key, ride }] : []));
  return {
    steps: [
      step('athletes', '/athletes', [
        ...table.rejected,
        ...mapped.filter((entry) => 'reasons' in entry),
        ...riders.map(({ key, ride }) =>
          draft(ride.place, ride.rider, key, () => ({
            displayName: ride.rider,
            sex: races[ride.race]?.sex,
            nationalities: [],
            ...(adultsConfirmed && { adultConfirmed: true }),
            sports: [{ sport: 'CYCLING', discipline: 'ROAD', primary: true, level: 'PROFESSIONAL' }],
            status: 'ACTIVE',
          })),
        ),
      ]),
      step(
        'competitions',
        '/competitions',
        [...new Set(rides.map(({ race }) => race))].map((race) =>
          draft('file', races[race]?.name ?? race, race, () => ({
            name: races[race]?.name,
            sport: 'CYCLING',
            discipline: 'ROAD',
            type: 'SERIES',
            category: races[race]?.category,
            level: 'PROFESSIONAL',
            country: 'FR',
            rankingRules: { ruleSet: 'CYCLING', classifications: ['GC'] },
            status: 'PUBLISHED',
          })),
        ),
      ),
      step(
        'seasons',
        '/competitions/seasons',
        years.map(([key, [ride]]) =>
          draft(ride?.place ?? 'file', key, key, (ids) => ({
            competitionId: ids.of('competitions', ride?.race ?? ''),
            name: ride?.year,
            // The file only has the year.
            startDate: `${ride?.year ?? ''}-01-01`,
            endDate: `${ride?.year ?? ''}-12-31`,
            status: 'IN_PROGRESS',
          })),
        ),
      ),
      ...parts.flatMap(stepsOfYear),
      step('matches', '/competitions/matches', parts.map(matchOfYear)),
    ],
    finished: years.map(([key]) => key),
  };
}
