/** Recommendations: ranked over the read model, then verified and scored with the current data that the viewer can read. */
import type { Database } from '../../../platform/database/database.ts';
import { mapInTurns } from '../../../platform/turns.ts';
import { Problem } from '../../../schema/errors.ts';
import { latestToday } from '../../runtime/age.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { AthleteFacts, Moment } from '../matching/facts.ts';
import { computeFit, rankableFit, type Fit } from '../matching/match.ts';
import { exceedsRelocation } from '../matching/preferences.ts';
import { fetchMatchFacts } from '../opportunity-matches/match-facts.ts';
import { rankItems, type RankedItem } from '../recommending/ranking.ts';
import type { RecommendationFeedback } from '../generated/resolvers.ts';
import { rankAthletes } from './athlete-ranking.ts';
import type { FeedbackStore } from './feedback.ts';
import { rankOpportunities } from './opportunity-ranking.ts';
import { findRecipient, type RecipientKey, type RecruitingNeed } from './recipient.ts';
import { encodeRecommendationId, type RecommendationKey } from './recommendation-id.ts';

/** A recommendation before its feedback is read. */
interface RecommendedFit extends RecommendationKey {
  readonly id: string;
  readonly fit: Fit;
}

export interface ComputedRecommendation extends RecommendedFit {
  readonly feedback: RecommendationFeedback | null;
}

/** A ranked athlete with the recruiting need that fits best. */
interface RankedAthlete extends RankedItem {
  readonly need: RecruitingNeed;
}

/** An item that was compared with current data. */
interface ComparedItem extends RankedItem {
  readonly fit: Fit;
}

/** More candidates than requested: some are hidden or fit less well than the read model reports. */
const candidatesFor = (limit: number): number => Math.ceil(limit * 1.5) + 5;

/** Each recipient has its own ranking, so their number in a request is limited. */
const recipientsMax = 10;

const currentMoment = (): Moment => ({ now: new Date(), today: latestToday() });

/** A recipient whose recommendations are selected as a field of it. */
interface NestedKey extends RecipientKey {
  readonly first: number;
}

const compared = (item: RankedItem, fit: Fit): ComparedItem => ({ ...item, fit, expected: rankableFit(fit) });

/** The recommendation with the best of several fits. Null if none is eligible and scored. */
function bestOf(key: RecommendationKey, fits: readonly Fit[]): RecommendedFit | null {
  const [fit] = fits.filter((each) => rankableFit(each) !== null).sort((one, other) => other.expected - one.expected);
  return fit ? { ...key, id: encodeRecommendationId(key), fit } : null;
}

const feedbackScopeOf = ({ viewer }: Context, recipientId: string) =>
  viewer.accountId === null ? {} : { feedbackScope: { accountId: viewer.accountId, recipientId } };

/** The athletes that are adults now. Minors are never recommended, whatever age the read model has. */
async function fetchAdults(context: Context, ids: readonly string[]): Promise<AthleteFacts[]> {
  if (ids.length === 0) return [];
  const { athletes } = await fetchMatchFacts(context, ids, []);
  return athletes.filter(({ ageGroup }) => ageGroup === 'SENIOR');
}

async function athletesFor(
  database: Database,
  context: Context,
  { id }: RecipientKey,
  needs: readonly RecruitingNeed[],
  limit: number,
): Promise<ComparedItem[]> {
  const moment = currentMoment();
  const most = candidatesFor(limit);
  const options = { limit: most, share: 1 / needs.length, ...feedbackScopeOf(context, id) };
  const lists = await Promise.all(
    needs.map(async (need) => {
      const ranked = await rankAthletes(database, need, moment, options);
      return ranked.map((item): RankedAthlete => ({ ...item, need }));
    }),
  );
  // An athlete with several sports counts with the best of them.
  const best = new Map<string, RankedAthlete>();
  for (const item of rankItems(lists.flat(), lists.length * most)) if (!best.has(item.id)) best.set(item.id, item);
  const athletes = await fetchAdults(context, [...best.keys()].slice(0, most));
  const fits = await mapInTurns(athletes, (athlete) => {
    const item = best.get(athlete.id);
    return item ? [compared(item, computeFit(athlete, item.need, moment))] : [];
  });
  return fits.flat();
}

async function opportunitiesFor(
  database: Database,
  context: Context,
  athlete: AthleteFacts,
  limit: number,
): Promise<ComparedItem[]> {
  const moment = currentMoment();
  const options = { limit: candidatesFor(limit), ...feedbackScopeOf(context, athlete.id) };
  const { viewer } = context;
  const sports = athlete.sports.filter(({ sport }) => viewer.sport === null || sport === viewer.sport);
  const ranked = await rankOpportunities(database, { ...athlete, sports }, moment, options);
  if (ranked.length === 0) return [];
  const byId = new Map(ranked.map((item) => [item.id, item]));
  const { opportunities } = await fetchMatchFacts(context, [], [...byId.keys()]);
  const fits = await mapInTurns(opportunities, (opportunity) => {
    const item = exceedsRelocation(athlete, opportunity) ? undefined : byId.get(opportunity.id);
    return item ? [compared(item, computeFit(athlete, opportunity, moment))] : [];
  });
  return fits.flat();
}

/** The recommendation of a key, without its feedback. Null if the viewer would not get it. */
async function findOne(context: Context, key: RecommendationKey): Promise<RecommendedFit | null> {
  const recipient = await findRecipient(context, { type: key.recipientType, id: key.recipientId });
  if (recipient === null) return null;
  context.notes.person = true;
  const moment = currentMoment();
  if ('athlete' in recipient) {
    const { athlete } = recipient;
    if (athlete.ageGroup !== 'SENIOR') context.notes.minor = true;
    const { opportunities } = await fetchMatchFacts(context, [], [key.subjectId]);
    const reachable = opportunities.filter((each) => !exceedsRelocation(athlete, each));
    const fits = reachable.map((each) => computeFit(athlete, each, moment));
    return bestOf({ ...key, recipientId: athlete.id }, fits);
  }
  const [athlete] = await fetchAdults(context, [key.subjectId]);
  if (!athlete) return null;
  const fits = recipient.needs.map((need) => computeFit(athlete, need, moment));
  return bestOf({ ...key, subjectId: athlete.id }, fits);
}

export function createRecommendationReads(database: Database, feedback: FeedbackStore) {
  /** The best recommendations for a recipient. Null if the recipient is not visible to the viewer. */
  async function list(context: Context, key: RecipientKey, limit: number): Promise<ComputedRecommendation[] | null> {
    const recipient = await findRecipient(context, key);
    if (recipient === null) return null;
    context.notes.person = true;
    if ('athlete' in recipient && recipient.athlete.ageGroup !== 'SENIOR') context.notes.minor = true;
    const found =
      'athlete' in recipient
        ? await opportunitiesFor(database, context, recipient.athlete, limit)
        : await athletesFor(database, context, key, recipient.needs, limit);
    const ranked = rankItems(found, limit);
    // The id of a merged profile stands for the profile that remains.
    const recipientId = 'athlete' in recipient ? recipient.athlete.id : key.id;
    const subjectIds = ranked.map(({ id }) => id);
    const given = await feedback.given(context, recipientId, subjectIds);
    return ranked.map(({ id: subjectId, fit }) => {
      const keys = { recipientType: key.type, recipientId, subjectId };
      return { ...keys, id: encodeRecommendationId(keys), fit, feedback: given.get(subjectId) ?? null };
    });
  }

  /** The recommendations of all recipients in a request. Throws Problem query_too_complex (400) for more than ten. */
  const ofRecipients: BatchRead<NestedKey, ComputedRecommendation[] | null> = async (keys, context) => {
    if (keys.length > recipientsMax)
      throw new Problem('query_too_complex', `Select recommendations of at most ${recipientsMax} recipients in one request.`);
    const lists: (ComputedRecommendation[] | null)[] = [];
    for (const { first, ...key } of keys) lists.push(await list(context, key, first));
    return lists;
  };

  return { list, one: findOne, ofRecipients };
}
