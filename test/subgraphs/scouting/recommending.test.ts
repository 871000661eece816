/** The order of recommendations, diversification by organization, and recommendation ids. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeRankableFit, computeFit, computeMatch, rankableFit } from '../../../subgraphs/scouting/matching/match.ts';
import { diversify } from '../../../subgraphs/scouting/recommending/diversify.ts';
import { rankItems, type RankedItem } from '../../../subgraphs/scouting/recommending/ranking.ts';
import { encodeRecommendationId, decodeRecommendationId } from '../../../subgraphs/scouting/recommendations/recommendation-id.ts';
import { athletes, moment, opportunities } from './matching-facts.ts';

const organizationIds = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 2 });
const items = fc.array(organizationIds, { maxLength: 40 }).map((all) => all.map((ids, index) => ({ index, ids })));

const countOf = (list: readonly { readonly ids: readonly string[] }[], id: string): number =>
  list.filter(({ ids }) => ids.includes(id)).length;

test('at most three of the first ten items belong to one organization, and no other item is moved down', () => {
  fc.assert(
    fc.property(items, (list) => {
      const mixed = diversify(list, ({ ids }) => ids);
      const first = mixed.slice(0, 10);
      for (const id of 'abcde') expect(countOf(first, id)).toBeLessThanOrEqual(3);
      // An item is moved down only if its organization has three items before it.
      for (const { index, ids } of list.filter((each) => !first.includes(each))) {
        const before = first.filter((each) => each.index < index);
        expect(before.length === 10 || ids.some((id) => countOf(before, id) === 3)).toBe(true);
      }
      expect(first.map(({ index }) => index)).toEqual(first.map(({ index }) => index).toSorted((one, other) => one - other));
      if (first.length === 10) expect(new Set(mixed)).toEqual(new Set(list));
    }),
    { numRuns: 300 },
  );
});

test('a ranking contains the eligible items only, best first, regardless of the input order', () => {
  const visible = { listed: 0, left: 0 };
  fc.assert(
    fc.property(fc.array(athletes, { maxLength: 25 }), opportunities, (found, opportunity) => {
      const people = [...new Map(found.map((each) => [each.id, each])).values()];
      const ranked = people.map((each): RankedItem => ({
        id: each.id,
        organizationIds: [],
        expected: computeRankableFit(each, opportunity, moment),
      }));
      const list = rankItems(ranked, 25);
      expect(rankItems(ranked.toReversed(), 25)).toEqual(list);
      const listed = new Map(list.map(({ id, expected }) => [id, expected]));
      for (const athlete of people) {
        const { missingData: _, ...match } = computeMatch(athlete, opportunity, moment);
        expect(computeFit(athlete, opportunity, moment)).toEqual(match);
        expect(listed.get(athlete.id) ?? null).toBe(rankableFit(match));
      }
      const order = list.map(({ expected }) => expected ?? Number.NaN);
      expect(order).toEqual(order.toSorted((one, other) => other - one));
      visible.listed += list.length;
      visible.left += ranked.length - list.length;
      expect(rankItems(ranked, 3)).toEqual(list.slice(0, 3));
    }),
    { numRuns: 150 },
  );
  expect(Math.min(visible.listed, visible.left)).toBeGreaterThan(0);
});

test('an id encodes one recommendation, and other texts decode to null', () => {
  const type = fc.constantFrom('ATHLETE' as const, 'OPPORTUNITY' as const, 'ORGANIZATION' as const);
  fc.assert(
    fc.property(type, fc.uuid(), fc.uuid(), (recipientType, recipientId, subjectId) => {
      const key = { recipientType, recipientId, subjectId };
      const id = encodeRecommendationId(key);
      expect(id).toMatch(/^[A-Za-z0-9_-]{44}$/);
      expect(decodeRecommendationId(id)).toEqual(key);
      expect(decodeRecommendationId(id.slice(0, 43))).toBeNull();
      expect(decodeRecommendationId(`_${id.slice(1)}`)).toBeNull();
    }),
    { numRuns: 200 },
  );
});
