/** Recipients of recommendations: an opportunity, an organization or an athlete, as visible to the viewer. */
import { Problem } from '../../../schema/errors.ts';
import { graphql } from '../../clients/graphql.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { AthleteFacts, OpportunityFacts } from '../matching/facts.ts';
import { fetchMatchFacts } from '../opportunity-matches/match-facts.ts';
import type { Level, QueryRecommendationsArgs, Sport } from '../generated/resolvers.ts';
import type { RecipientType } from './recommendation-id.ts';

export interface RecipientKey {
  readonly type: RecipientType;
  readonly id: string;
  /** Restricts an organization to one of its sports. */
  readonly sport?: Sport | null | undefined;
}

/** The requirements that athletes are compared with: those of an opportunity, or of an organization in a sport. */
export type RecruitingNeed = OpportunityFacts & { readonly organizationId: string | null };

/** An athlete, or recruiting needs. An opportunity that does not accept applications has none. */
export type Recipient = { readonly athlete: AthleteFacts } | { readonly needs: readonly RecruitingNeed[] };

function invalidParameter(parameter: string, code: string, detail: string): Problem {
  return new Problem('parameter_invalid', detail, { errors: [{ parameter, code, detail }] });
}

/** Throws Problem parameter_invalid (400) unless there is exactly one recipient, and for a sport without an organization. */
export function readRecipientKey(args: QueryRecommendationsArgs): RecipientKey {
  const { opportunityId, organizationId, athleteId, sport } = args;
  const recipients = (
    [
      ['OPPORTUNITY', opportunityId],
      ['ORGANIZATION', organizationId],
      ['ATHLETE', athleteId],
    ] as const
  ).flatMap(([type, id]) => (id ? [{ type, id }] : []));
  const [recipient] = recipients;
  if (!recipient || recipients.length > 1) {
    const detail = 'Pass exactly one of `opportunityId`, `organizationId` and `athleteId`.';
    throw invalidParameter('opportunityId', 'exactly_one', detail);
  }
  if (sport && recipient.type !== 'ORGANIZATION')
    throw invalidParameter('sport', 'of_organization', '`sport` is allowed with `organizationId` only.');
  return { ...recipient, sport };
}

const opportunityQuery = graphql(`
  query recommendedFor($id: ID!) {
    opportunity(id: $id) {
      organization {
        id
      }
    }
  }
`);

const organizationQuery = graphql(`
  query recommendedForOrganization($id: ID!) {
    organization(id: $id) {
      country
      sports
      level
    }
  }
`);

async function findOpportunity(context: Context, id: string): Promise<Recipient | null> {
  const [{ opportunity }, { opportunities }] = await Promise.all([
    context.graph(opportunityQuery, { id }),
    fetchMatchFacts(context, [], [id]),
  ]);
  if (!opportunity) return null;
  return { needs: opportunities.map((facts) => ({ ...facts, organizationId: opportunity.organization?.id ?? null })) };
}

/** The requirements of an organization in a sport: its level and its country. */
function needOf(id: string, sport: Sport, country: string, level: Level | null): RecruitingNeed {
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

async function findOrganization(context: Context, { id, sport }: RecipientKey): Promise<Recipient | null> {
  const { organization } = await context.graph(organizationQuery, { id });
  if (!organization) return null;
  const { viewer } = context;
  if (sport && !organization.sports.includes(sport)) {
    const detail = `${sport} is not a sport of this organization. Its sports: ${organization.sports.join(', ')}.`;
    throw invalidParameter('sport', 'other_sport', detail);
  }
  const sports = organization.sports.filter(
    (each) => (!sport || each === sport) && (viewer.sport === null || each === viewer.sport),
  );
  return { needs: sports.map((each) => needOf(id, each, organization.country, organization.level ?? null)) };
}

async function findAthlete(context: Context, id: string): Promise<Recipient | null> {
  const [athlete] = (await fetchMatchFacts(context, [id], [])).athletes;
  return athlete ? { athlete } : null;
}

/** Null if the recipient is not visible to the viewer, and for an athlete whose scores are not. */
export function findRecipient(context: Context, key: RecipientKey): Promise<Recipient | null> {
  if (key.type === 'OPPORTUNITY') return findOpportunity(context, key.id);
  return key.type === 'ORGANIZATION' ? findOrganization(context, key) : findAthlete(context, key.id);
}
