/** Row values of a scouting report from its input. */
import { reportAspectsOf } from '../../../schema/report-aspects.ts';
import type { AddScoutingReportInput } from '../generated/resolvers.ts';
import type { AspectRatingRow, ClipRow, ScoutingReportRow } from './rows.ts';

type Told = Pick<
  ScoutingReportRow,
  'sport' | 'author' | 'role' | 'summary' | 'strengths' | 'weaknesses' | 'overall' | 'potential' | 'aspects' | 'clips'
>;

/** The row values of the members in words and the ratings by aspect, in the order of the template. */
export function toldIn(input: AddScoutingReportInput): Told {
  const { sport = null, author = null, role = null, summary = null, overall = null, potential = null } = input;
  const order = sport ? reportAspectsOf(sport).map(({ code }) => code) : [];
  const aspects = (input.aspects ?? []).map(({ code, rating, comment }): AspectRatingRow => {
    return { code, rating, comment: comment ?? null };
  });
  const clips = (input.clips ?? []).map(({ url, title, atMs }): ClipRow => ({ url, title: title ?? null, atMs: atMs ?? null }));
  return {
    sport,
    author,
    role,
    summary,
    overall,
    potential,
    strengths: input.strengths ?? [],
    weaknesses: input.weaknesses ?? [],
    aspects: aspects.toSorted((one, other) => order.indexOf(one.code) - order.indexOf(other.code)),
    clips,
  };
}
