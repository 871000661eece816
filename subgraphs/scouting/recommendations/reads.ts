/** Recommendations as a viewer may be told of them: ranked over the read model, and asked again of their areas at that moment. */
import type { Database } from '../../../platform/database/database.ts';
import { Problem } from '../../../schema/errors.ts';
import { latestToday } from '../../runtime/age.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import { fetchMatchFacts } from '../opportunity-matches/match-facts.ts';
import type { AthleteFacts, Moment } from '../matching/facts.ts';
import { computeFit, type Fit } from '../matching/match.ts';
import type { RecommendationFeedback } from '../resolvers.generated.ts';
import type { FeedbackStore } from './feedback.ts';
import { rankAthletes } from './athlete-ranking.ts';
import { rankOpportunities } from './opportunity-ranking.ts';
import { rankItems, type RankedItem } from '../recommending/ranking.ts';
import { findRecipient, type RecruitingNeed, type RecipientKey } from './recipient.ts';
import { encodeRecommendationId, type RecommendationKey } from './recommendation-id.ts';

export interface ComputedRecommendation extends RecommendationKey {
  readonly id: string;
  readonly fit: Fit;
  readonly feedback: RecommendationFeedback | null;
}

/** A ranked athlete, and what of several askings suits best. */
interface RankedAthlete extends RankedItem {
  readonly asking: RecruitingNeed;
}

/** More than are answered: who was hidden since, or suits less than the read model knew, falls out. */
const askedAgain = (limit: number): number => Math.ceil(limit * 1.5) + 5;

/** Each recipient is ranked on its own: so many in one request. */
const recipientsMax = 10;

const momentNow = (): Moment => ({ now: new Date(), today: latestToday() });

/** A recipient whose recommendations are a field of it. */
interface NestedKey extends RecipientKey {
  readonly first: number;
}

function bestOf(key: RecommendationKey, fits: readonly Fit[]): Omit<ComputedRecommendation, 'feedback'> | null {
  const [fit] = fits
    .filter(({ eligible, score }) => eligible !== false && score !== null)
    .sort((one, other) => other.expected - one.expected);
  return fit ? { ...key, id: encodeRecommendationId(key), fit } : null;
}

export function createRecommendationReads(database: Database, feedback: FeedbackStore) {
  const accountOf = ({ viewer }: Context, recipientId: string) =>
    viewer.accountId === null ? {} : { asked: { accountId: viewer.accountId, recipientId } };

  /** What the athletes' area says of them now to this viewer: of minors nothing is recommended, whatever was known of their age. */
  async function adultsNow(context: Context, ids: readonly string[]): Promise<AthleteFacts[]> {
    if (ids.length === 0) return [];
    const { athletes } = await fetchMatchFacts(context, ids, []);
    return athletes.filter(({ ageGroup }) => ageGroup === 'SENIOR');
  }

  async function athletesFor(
    context: Context,
    key: RecipientKey,
    asking: readonly RecruitingNeed[],
    limit: number,
  ): Promise<RankedItem[]> {
    const moment = momentNow();
    const most = askedAgain(limit);
    const lists = await Promise.all(
      asking.map(async (each) => {
        const ranked = await rankAthletes(database, each, moment, { limit: most, ...accountOf(context, key.id) });
        return ranked.map((one): RankedAthlete => ({ ...one, asking: each }));
      }),
    );
    // of several sports of one athlete the first in order
    const best = new Map<string, RankedAthlete>();
    for (const one of rankItems(lists.flat(), lists.length * most)) if (!best.has(one.id)) best.set(one.id, one);
    const athletes = await adultsNow(context, [...best.keys()].slice(0, most));
    return athletes.flatMap((facts) => {
      const one = best.get(facts.id);
      return one ? [{ ...one, fit: computeFit(facts, one.asking, moment) }] : [];
    });
  }

  async function opportunitiesFor(context: Context, athlete: AthleteFacts, limit: number): Promise<RankedItem[]> {
    const moment = momentNow();
    const options = { limit: askedAgain(limit), ...accountOf(context, athlete.id) };
    const { viewer } = context;
    const sports = athlete.sports.filter(({ sport }) => viewer.sport === null || sport === viewer.sport);
    const ranked = new Map(
      (await rankOpportunities(database, { ...athlete, sports }, moment, options)).map((each) => [each.id, each]),
    );
    if (ranked.size === 0) return [];
    const { opportunities } = await fetchMatchFacts(context, [], [...ranked.keys()]);
    return opportunities.flatMap((facts) => {
      const one = ranked.get(facts.id);
      return one ? [{ ...one, fit: computeFit(athlete, facts, moment) }] : [];
    });
  }

  /** The best for a recipient; null for one whom the viewer does not see. */
  async function list(context: Context, key: RecipientKey, limit: number): Promise<ComputedRecommendation[] | null> {
    const recipient = await findRecipient(context, key);
    if (recipient === null) return null;
    context.notes.person = true;
    if ('athlete' in recipient && recipient.athlete.ageGroup !== 'SENIOR') context.notes.minor = true;
    const found =
      'athlete' in recipient
        ? await opportunitiesFor(context, recipient.athlete, limit)
        : await athletesFor(context, key, recipient.asking, limit);
    const ranked = rankItems(found, limit);
    // by the id of a second profile the first one is meant
    const recipientId = 'athlete' in recipient ? recipient.athlete.id : key.id;
    const given = await feedback.given(
      context,
      recipientId,
      ranked.map(({ id }) => id),
    );
    return ranked.map(({ id: subjectId, fit }) => {
      const keys = { recipientType: key.type, recipientId, subjectId };
      return { ...keys, id: encodeRecommendationId(keys), fit, feedback: given.get(subjectId) ?? null };
    });
  }

  /** What would be recommended by an id, without the feedback; null where the viewer would not be told of it. */
  async function one(context: Context, key: RecommendationKey): Promise<Omit<ComputedRecommendation, 'feedback'> | null> {
    const recipient = await findRecipient(context, { type: key.recipientType, id: key.recipientId });
    if (recipient === null) return null;
    context.notes.person = true;
    const moment = momentNow();
    if ('athlete' in recipient) {
      const { athlete } = recipient;
      if (athlete.ageGroup !== 'SENIOR') context.notes.minor = true;
      const { opportunities } = await fetchMatchFacts(context, [], [key.subjectId]);
      const fits = opportunities.map((each) => computeFit(athlete, each, moment));
      return bestOf({ ...key, recipientId: athlete.id }, fits);
    }
    const [athlete] = await adultsNow(context, [key.subjectId]);
    if (!athlete) return null;
    const fits = recipient.asking.map((each) => computeFit(athlete, each, moment));
    return bestOf({ ...key, subjectId: athlete.id }, fits);
  }

  /** Of the recipients of one request. Throws Problem query_too_complex (400) for more than ten: each is ranked on its own. */
  const ofRecipients: BatchRead<NestedKey, ComputedRecommendation[] | null> = async (keys, context) => {
    if (keys.length > recipientsMax)
      throw new Problem('query_too_complex', `Ask for recommendations of at most ${recipientsMax} at once.`);
    const answers: (ComputedRecommendation[] | null)[] = [];
    for (const { first, ...key } of keys) answers.push(await list(context, key, first));
    return answers;
  };

  return { list, one, ofRecipients };
}
