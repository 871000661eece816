/** Validation of the texts and ratings of a scouting report. */
import type { Violation } from '../../../schema/errors.ts';
import { reportAspectsOf } from '../../../schema/report-aspects.ts';
import { suggestionFor } from '../../../schema/violations.ts';
import type { VisibleAthlete } from '../../clients/visible-athletes.ts';
import type { AddScoutingReportInput, Sport } from '../generated/resolvers.ts';

const isHalf = (value: number): boolean => Number.isInteger(value * 2);

const halfViolation = (pointer: string, value: number | null | undefined): Violation | null =>
  typeof value === 'number' && !isHalf(value) ? { pointer, code: 'too_precise', detail: 'Ratings have halves: 7 or 7.5.' } : null;

function aspectViolations({ sport, aspects }: AddScoutingReportInput): (Violation | null)[] {
  const given = aspects ?? [];
  if (given.length === 0) return [];
  if (!sport) return [{ pointer: '/sport', code: 'required', detail: '`sport` is required with `aspects`.' }];
  const codes = reportAspectsOf(sport).map(({ code }) => code);
  return given.flatMap(({ code, rating }, index) => {
    const pointer = `/aspects/${index}/code`;
    const unknown = {
      pointer,
      code: 'unknown_aspect',
      detail: `The template of ${sport} has no aspect with this code${suggestionFor(code, codes)}`,
    };
    const twice = { pointer, code: 'duplicate', detail: 'The aspect is already in the list.' };
    const isFirst = given.findIndex((each) => each.code === code) === index;
    return [codes.includes(code) ? null : unknown, isFirst ? null : twice, halfViolation(`/aspects/${index}/rating`, rating)];
  });
}

/** The current date in the time zone UTC+14, where a day starts first. */
const latestDate = (): string => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);

/** The age that an athlete reaches at the earliest before a first report. */
const youngestAge = 5;

function dateViolation(date: string, bornIn: number | null | undefined): Violation | null {
  if (date > latestDate()) return { pointer: '/date', code: 'in_future', detail: '`date` must not be in the future.' };
  if (typeof bornIn !== 'number' || date >= `${bornIn + youngestAge}-01-01`) return null;
  return { pointer: '/date', code: 'too_early', detail: `The athlete was born in ${bornIn}. Check \`date\`.` };
}

/** The observed match as visible to the account. Null without `matchId`, undefined for an unknown or hidden match. */
export type ObservedMatch = { readonly sport: Sport } | null | undefined;

function matchViolation(
  { sport }: AddScoutingReportInput,
  { sportCodes }: Pick<VisibleAthlete, 'sportCodes'>,
  match: ObservedMatch,
): Violation | null {
  const pointer = '/matchId';
  if (match === undefined) return { pointer, code: 'unknown_match', detail: 'There is no match with this ID.' };
  const sports = sport ? [sport] : sportCodes;
  if (match === null || sports.includes(match.sport)) return null;
  return { pointer, code: 'other_sport', detail: `The match has the sport ${match.sport}, not ${sports.join(' or ')}.` };
}

/** Violations of what was observed: the sport of the athlete, the match, and a day on which the athlete was old enough. */
export function observationViolations(
  input: AddScoutingReportInput,
  athlete: Pick<VisibleAthlete, 'sportCodes' | 'bornIn'>,
  match: ObservedMatch,
): (Violation | null)[] {
  const { date, sport } = input;
  const { sportCodes, bornIn } = athlete;
  const isOther = sport && !sportCodes.includes(sport);
  const detail = `The athlete has the sport ${sportCodes.join(' and ')}, not ${sport ?? ''}.`;
  return [
    dateViolation(date, bornIn),
    isOther ? { pointer: '/sport', code: 'other_sport', detail } : null,
    matchViolation(input, athlete, match),
  ];
}

/** Violations of the members in words, the ratings in halves, the aspects and the clips. */
export function reportViolations(input: AddScoutingReportInput): (Violation | null | false)[] {
  const { overall, potential, clips } = input;
  return [
    halfViolation('/overall', overall),
    halfViolation('/potential', potential),
    typeof overall === 'number' &&
      typeof potential === 'number' &&
      potential < overall && {
        pointer: '/potential',
        code: 'below_overall',
        detail: '`potential` must not be below `overall`: the athlete has already reached that.',
      },
    ...aspectViolations(input),
    ...(clips ?? []).map(
      ({ url }, index) =>
        !url.toLowerCase().startsWith('https://') && {
          pointer: `/clips/${index}/url`,
          code: 'not_https',
          detail: '`url` must start with https://.',
        },
    ),
  ];
}
