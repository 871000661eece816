/** The years of matches: typing errors, and files whose years are impossible. */
import type { Fixture } from './football-file.ts';
import { RejectedFile } from './problem.ts';
import type { Rejection } from './row.ts';

/** The first football clubs are from the 1850s. */
const earliestYear = 1850;

const yearOf = ({ date }: Fixture): number => Number(date.slice(0, 4));

/**
 * Rejects matches that are more than a year away from the others: the year is a typing error.
 * @throws {RejectedFile} when the season starts before 1850 or after the end of next year.
 */
export function withPlausibleYears(entries: readonly (Fixture | Rejection)[]): (Fixture | Rejection)[] {
  const years = entries
    .filter((entry) => 'teams' in entry)
    .map(yearOf)
    .toSorted((one, other) => one - other);
  const middle = years[Math.floor(years.length / 2)] ?? null;
  if (middle === null) return [...entries];
  const start = years.find((year) => middle - year <= 1) ?? middle;
  const latestYear = Temporal.Now.plainDateISO().year + 1;
  if (start < earliestYear || start > latestYear)
    throw new RejectedFile(
      `The season starts in ${start}. Matches from ${earliestYear} to ${latestYear} can be imported. Correct the dates in the file.`,
    );
  return entries.map((entry) =>
    'teams' in entry && Math.abs(yearOf(entry) - middle) > 1
      ? {
          place: entry.place,
          label: entry.teams.join(' – '),
          reasons: [`the year of ${entry.date} is not plausible: most matches are in ${middle}`],
        }
      : entry,
  );
}
