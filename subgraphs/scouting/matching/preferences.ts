/** Features of the athlete's preferences: opportunity type, start date and place. */
import { datumOf } from './comparisons.ts';
import { joinAny } from '../texts/ordinal.ts';
import type { AthleteFacts, OpportunityFacts } from './facts.ts';
import { featurePart, nearness, unknownPart, type FeaturePart } from './feature-part.ts';

/** Home nations such as `GB-ENG` belong to their country. */
export const countryOf = (code: string): string => code.slice(0, 2);

/** Whether an athlete's stated limit of relocation excludes an opportunity: it takes place abroad. False if a country is unknown. */
export function exceedsRelocation(
  { residence, availability }: Pick<AthleteFacts, 'residence' | 'availability'>,
  { country }: Pick<OpportunityFacts, 'country'>,
): boolean {
  const isLimited = availability !== null && availability.relocation !== 'INTERNATIONAL';
  return isLimited && residence !== null && country !== null && countryOf(residence.country) !== countryOf(country);
}

const dayMs = 86_400_000;
/** An athlete who becomes available half a year after the start does not fit at all. */
const latenessMaxDays = 180;

function preferenceParts({ availability }: AthleteFacts, { type, startDate }: OpportunityFacts): FeaturePart[] {
  const datum = datumOf('AVAILABILITY');
  if (availability === null) return [unknownPart(datum)];
  const { openToOpportunities, types, from } = availability;
  if (!openToOpportunities) return [featurePart(datum, 0, () => 'not open to opportunities')];
  const parts = [featurePart(datum, 1, () => 'open to opportunities')];
  if (types.length > 0)
    parts.push(
      featurePart(datum, types.includes(type) ? 1 : 0, () => `prefers opportunities of type ${joinAny(types)}; offered: ${type}`),
    );
  if (from !== null && startDate !== null) {
    const lateDays = Math.max(0, (Date.parse(from) - Date.parse(startDate)) / dayMs);
    parts.push(featurePart(datum, nearness(lateDays, latenessMaxDays), () => `available from ${from}; starts on ${startDate}`));
  }
  return parts;
}

/** Without relocation, half of the fit in the same country: the distance within a country is unknown. */
function geographyParts({ residence, availability }: AthleteFacts, { country }: OpportunityFacts): FeaturePart[] {
  if (country === null) return [];
  if (residence === null) return [unknownPart(datumOf('RESIDENCE'))];
  const relocation = availability?.relocation ?? null;
  const text = (): string =>
    `lives in ${residence.country}${relocation === null ? '' : ` (relocation: ${relocation})`}; takes place in ${country}`;
  if (countryOf(residence.country) === countryOf(country))
    return [featurePart(datumOf('RESIDENCE'), relocation === 'NONE' ? 0.5 : 1, text)];
  if (relocation === null) return [unknownPart(datumOf('AVAILABILITY'))];
  return [featurePart(datumOf('AVAILABILITY'), relocation === 'INTERNATIONAL' ? 0.8 : 0, text)];
}

/** The parts of the features on the athlete's side. */
export function athletePreferences(athlete: AthleteFacts, opportunity: OpportunityFacts) {
  return { PREFERENCE: preferenceParts(athlete, opportunity), GEOGRAPHY: geographyParts(athlete, opportunity) };
}
