/** How well an opportunity suits what an athlete wants: kinds, beginning, and how far the athlete would move. */
import { datumOf } from './comparisons.ts';
import type { AthleteFacts, OpportunityFacts } from './facts.ts';
import { joinCodes, nearness, featurePart, type FeaturePart } from './feature-part.ts';

const dayMs = 86_400_000;
/** Who comes half a year late does not come in time at all. */
const tooLateDays = 180;

function preferenceParts({ availability }: AthleteFacts, { type, startDate }: OpportunityFacts): FeaturePart[] {
  const datum = datumOf('AVAILABILITY');
  if (availability === null) return [featurePart(datum, null, '')];
  const { openToOpportunities, types, from } = availability;
  if (!openToOpportunities) return [featurePart(datum, 0, 'not open to opportunities')];
  const late = from === null || startDate === null ? 0 : Math.max(0, (Date.parse(from) - Date.parse(startDate)) / dayMs);
  return [
    featurePart(datum, 1, 'open to opportunities'),
    ...(types.length === 0 ? [] : [featurePart(datum, types.includes(type) ? 1 : 0, `of type ${joinCodes(types)}`)]),
    ...(from === null || startDate === null
      ? []
      : [featurePart(datum, nearness(late, tooLateDays), `from ${from} on, it begins on ${startDate}`)]),
  ];
}

/** Home nations are of their country. */
const countryOf = (code: string): string => code.slice(0, 2);

/** In the own country where is not told: who would not move at all may live far from it. */
function geographyParts({ residence, availability }: AthleteFacts, { country }: OpportunityFacts): FeaturePart[] {
  if (country === null) return [];
  if (residence === null) return [featurePart(datumOf('RESIDENCE'), null, '')];
  const moves = availability?.relocation ?? null;
  const text = `lives in ${residence.country}, it takes place in ${country}${moves === null ? '' : `, would move: ${moves}`}`;
  if (countryOf(residence.country) === countryOf(country))
    return [featurePart(datumOf('RESIDENCE'), moves === 'NONE' ? 0.5 : 1, text)];
  if (moves === null) return [featurePart(datumOf('AVAILABILITY'), null, '')];
  return [featurePart(datumOf('AVAILABILITY'), moves === 'INTERNATIONAL' ? 0.8 : 0, text)];
}

/** Parts of the features that are the athlete's. */
export function athletePreferences(athlete: AthleteFacts, opportunity: OpportunityFacts) {
  return { PREFERENCE: preferenceParts(athlete, opportunity), GEOGRAPHY: geographyParts(athlete, opportunity) };
}
