/** For whom is recommended: an opportunity, an organization or an athlete, as the viewer sees them. */
import { Problem } from '../../../schema/errors.ts';
import type { Context } from '../../runtime/subgraph.ts';
import { fetchMatchFacts } from '../opportunity-matches/match-facts.ts';
import type { AthleteFacts, OpportunityFacts } from '../matching/facts.ts';
import type { Level, QueryRecommendationsArgs, Sport } from '../resolvers.generated.ts';
import type { RecipientType } from './recommendation-id.ts';

export interface RecipientKey {
  readonly type: RecipientType;
  readonly id: string;
  /** Of an organization: the one of its sports that is meant. */
  readonly sport?: Sport | null | undefined;
}

/** What is asked of athletes, by an opportunity or in a sport of an organization. */
export type RecruitingNeed = OpportunityFacts & { readonly organizationId: string | null };

/** An athlete, or what is asked of athletes: empty for an opportunity that takes no applications. */
export type Recipient = { readonly athlete: AthleteFacts } | { readonly asking: readonly RecruitingNeed[] };

function refused(parameter: string, code: string, detail: string): Problem {
  return new Problem('parameter_invalid', detail, { errors: [{ parameter, code, detail }] });
}

/** Throws Problem parameter_invalid (400) where not exactly one recipient is named, and for a sport of what has one. */
export function readRecipientKey({ opportunityId, organizationId, athleteId, sport }: QueryRecommendationsArgs): RecipientKey {
  const named = (
    [
      ['OPPORTUNITY', opportunityId],
      ['ORGANIZATION', organizationId],
      ['ATHLETE', athleteId],
    ] as const
  ).flatMap(([type, id]) => (id ? [{ type, id }] : []));
  const [only] = named;
  if (!only || named.length > 1)
    throw refused('opportunityId', 'exactly_one', 'Name one of opportunityId, organizationId and athleteId.');
  if (sport && only.type !== 'ORGANIZATION')
    throw refused('sport', 'of_organization', 'Name a sport only for an organization: the others say theirs.');
  return { ...only, sport };
}

const opportunityQuery = /* GraphQL */ `
  query recommendedFor($id: ID!) {
    opportunity(id: $id) {
      organization {
        id
      }
    }
  }
`;

const organizationQuery = /* GraphQL */ `
  query recommendedForOrganization($id: ID!) {
    organization(id: $id) {
      country
      sports
      level
    }
  }
`;

async function opportunity(context: Context, id: string): Promise<Recipient | null> {
  const [data, { opportunities }] = await Promise.all([
    context.graph(opportunityQuery, { id }),
    fetchMatchFacts(context, [], [id]),
  ]);
  const seen = data['opportunity'] as { readonly organization: { readonly id: string } | null } | null;
  if (seen === null) return null;
  return { asking: opportunities.map((facts) => ({ ...facts, organizationId: seen.organization?.id ?? null })) };
}

/** What an organization asks of athletes in a sport: its level, and to come to its country; nothing else. */
function profileOf(id: string, sport: Sport, country: string, level: Level | null): RecruitingNeed {
  return {
    id,
    organizationId: id,
    type: 'TALENT_REQUEST',
    sport,
    disciplines: [],
    positions: [],
    sex: null,
    ageRange: null,
    nationalities: [],
    country,
    startDate: null,
    applicationDeadline: '9999-12-31T00:00:00.000Z',
    requirements: [],
    languages: [],
    minorsAllowed: false,
    academic: null,
    profile: null,
    organization: { level },
  };
}

async function organization(context: Context, { id, sport }: RecipientKey): Promise<Recipient | null> {
  const data = await context.graph(organizationQuery, { id });
  const seen = data['organization'] as { country: string; sports: readonly Sport[]; level: Level | null } | null;
  if (seen === null) return null;
  const { viewer } = context;
  const meant = seen.sports.filter((each) => (!sport || each === sport) && (viewer.sport === null || each === viewer.sport));
  return { asking: meant.map((each) => profileOf(id, each, seen.country, seen.level)) };
}

async function athlete(context: Context, id: string): Promise<Recipient | null> {
  const [facts] = (await fetchMatchFacts(context, [id], [])).athletes;
  return facts ? { athlete: facts } : null;
}

/** Null for whom the viewer does not see, and for an athlete of whom he is told no scores. */
export function findRecipient(context: Context, key: RecipientKey): Promise<Recipient | null> {
  if (key.type === 'OPPORTUNITY') return opportunity(context, key.id);
  return key.type === 'ORGANIZATION' ? organization(context, key) : athlete(context, key.id);
}
