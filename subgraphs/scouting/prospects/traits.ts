/**
 * Traits of prospects: what has few values and is filtered by, such as the dominant foot. Each text starts with the sport, so that PostgreSQL
 * knows how frequent a trait is among the athletes of the sport. The projection writes them, and the filter compares them.
 */
import { sportNames, type Sport } from '../../../schema/sports.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import type { ProspectFilter } from '../generated/resolvers.ts';

/** The facts about an athlete that become traits. */
export interface TraitFacts {
  readonly verified: boolean;
  readonly dominantFoot: string | null;
  readonly dominantHand: string | null;
  readonly languages: readonly string[];
  readonly availability: { readonly openToOpportunities: boolean | null; readonly types: readonly string[] } | null;
  /** Whether no membership is in force. */
  readonly freeAgent: boolean;
  /** The organizations of the athlete. A change of their visibility is found by them. */
  readonly organizationIds: readonly string[];
}

const trait = (kind: string, value: unknown): string => `${kind}:${String(value)}`;

/** The language of a tag, next to the tag itself: `pt` of `pt-BR`. */
const languageCodes = (tag: string): string[] => [...new Set([tag, tag.split('-')[0] ?? tag])];

/** The traits of an athlete in a sport. */
export function traitsOf(sport: Sport, facts: TraitFacts): string[] {
  const { verified, dominantFoot, dominantHand, languages, availability, freeAgent, organizationIds } = facts;
  const isOpen = availability?.openToOpportunities === true;
  const traits = [
    trait('verified', verified),
    trait('open', isOpen),
    trait('freeAgent', freeAgent),
    ...(dominantFoot === null ? [] : [trait('foot', dominantFoot)]),
    ...(dominantHand === null ? [] : [trait('hand', dominantHand)]),
    ...languages.flatMap(languageCodes).map((code) => trait('language', code)),
    ...(isOpen ? availability.types : []).map((type) => trait('for', type)),
  ];
  const ofSport = [...new Set(traits)].sort().map((each) => `${sport} ${each}`);
  return [...ofSport, ...organizationIds.map((id) => trait('organization', id))];
}

/** The condition that a prospect belongs to one of some organizations, visible ones or not. */
export const belongsTo = (organizationIds: readonly string[]): Sql =>
  sql`prospect.is_primary and prospect.traits && ${organizationIds.map((id) => trait('organization', id))}::text[]`;

/** The conditions of a filter on `prospect.traits`. @param sports the sports of the results; null: all */
export function traitConditions(sports: readonly Sport[] | null, filter: ProspectFilter): Sql[] {
  const requested = (kind: string, values: readonly unknown[] | null | undefined): Sql[] => {
    if (!values) return [];
    const traits = (sports ?? sportNames).flatMap((sport) => values.map((value) => `${sport} ${trait(kind, value)}`));
    return [sql`prospect.traits && ${traits}::text[]`];
  };
  const flag = (kind: string, value: boolean | null | undefined): Sql[] =>
    requested(kind, typeof value === 'boolean' ? [value] : null);
  return [
    ...flag('verified', filter.verified),
    ...flag('open', filter.openToOpportunities),
    ...flag('freeAgent', filter.freeAgent),
    ...requested('foot', filter.dominantFoot),
    ...requested('hand', filter.dominantHand),
    ...requested('language', filter.language),
    ...requested('for', filter.availableFor),
  ];
}
