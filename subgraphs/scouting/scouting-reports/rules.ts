/** Validation of the texts and ratings of a scouting report. */
import type { Violation } from '../../../schema/errors.ts';
import { reportAspectsOf } from '../../../schema/report-aspects.ts';
import { suggestionFor } from '../../../schema/violations.ts';
import type { AddScoutingReportInput } from '../generated/resolvers.ts';

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
