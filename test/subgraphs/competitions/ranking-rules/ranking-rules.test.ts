/** Ranking rules from inputs: the complete rules and the violations. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rankingRuleSets, type RankingRules, type RankingRuleSet } from '../../../../schema/ranking-rules.ts';
import { overlayRules, rulesForApi } from '../../../../subgraphs/competitions/ranking-rules/rules.ts';
import type { RankingRulesInput } from '../../../../subgraphs/competitions/generated/resolvers.ts';

const football: RankingRules = rankingRuleSets.FOOTBALL;
const violationsOf = (base: RankingRules, input: RankingRulesInput) =>
  overlayRules(base, input).violations.flatMap((violation) => (violation ? [[violation.pointer, violation.code]] : []));

const sets = Object.keys(rankingRuleSets) as RankingRuleSet[];

describe('ranking rules', () => {
  test.each(sets)('of the set %s are exactly those of the set, whatever the default rules', (ruleSet) => {
    fc.assert(
      fc.property(fc.constantFrom(...sets), (other) => {
        const { rules, violations } = overlayRules(rankingRuleSets[other], { ruleSet });
        expect(violations.filter(Boolean)).toEqual([]);
        expect(rules).toEqual(rankingRuleSets[ruleSet]);
      }),
    );
  });

  test('change only in the given members', () => {
    const zones = [{ code: 'RELEGATION', from: 17, to: 18 }];
    expect(overlayRules(football, { zones }).rules).toEqual({ ...football, zones });
    const points = { win: 2, draw: 1, loss: 0, forfeitLoss: null };
    expect(overlayRules(football, { ruleSet: 'BASKETBALL', points }).rules).toEqual({
      ...rankingRuleSets.BASKETBALL,
      points: { win: 2, draw: 1, loss: 0 },
    });
  });

  test('applied twice equal those applied once', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sets), fc.option(fc.constantFrom(...sets), { nil: undefined }), (base, ruleSet) => {
        const input: RankingRulesInput = {
          ...(ruleSet && { ruleSet }),
          method: 'TABLE',
          points: { win: 3, draw: 1, loss: 0 },
          order: ['POINTS'],
        };
        const once = overlayRules(rankingRuleSets[base], input).rules;
        expect(overlayRules(once, input).rules).toEqual(once);
      }),
    );
  });

  test('of another method keep common members and require the members of the new method', () => {
    expect(overlayRules(rankingRuleSets.TENNIS, { method: 'POINTS_BEST_N' }).rules).toEqual({
      method: 'POINTS_BEST_N',
      best: 19,
      pointsOf: 'PARTICIPANTS',
    });
    expect(violationsOf(football, { method: 'ELO' })).toEqual([
      ['/rankingRules/start', 'required'],
      ['/rankingRules/factor', 'required'],
    ]);
    expect(overlayRules(football, { method: 'ELO', start: 1500, factor: 20 }).rules).toEqual({
      method: 'ELO',
      start: 1500,
      factor: 20,
    });
  });

  test('return to the default when deleted; required members cannot be deleted', () => {
    expect(overlayRules(rankingRuleSets.RUGBY, { bonus: null, headToHeadScope: null }).rules).toMatchObject({
      bonus: [],
      headToHeadScope: 'ALL_TIED',
    });
    expect(violationsOf(football, { points: null, order: null })).toEqual([
      ['/rankingRules/points', 'required'],
      ['/rankingRules/order', 'required'],
    ]);
  });

  test.each<[string, RankingRulesInput, string[][]]>([
    [
      'a zone that ends before its start',
      { zones: [{ code: 'UP', from: 3, to: 1 }] },
      [['/rankingRules/zones/0/to', 'before_from']],
    ],
    ['a bonus without its value', { bonus: [{ type: 'LOSS_WITHIN', points: 1 }] }, [['/rankingRules/bonus/0/n', 'required']]],
    [
      'a limit that has no effect',
      { bonus: [{ type: 'UNBEATEN', n: 3, points: 3 }] },
      [['/rankingRules/bonus/0/n', 'not_for_type']],
    ],
    ['a repeated criterion', { order: ['POINTS', 'FOR', 'POINTS'] }, [['/rankingRules/order/2', 'duplicate']]],
    ['an order without a table', { ruleSet: 'MARK', order: ['POINTS'] }, [['/rankingRules/order', 'not_for_method']]],
    [
      'a rating of a table',
      { start: 1500, best: 3 },
      [
        ['/rankingRules/best', 'not_for_method'],
        ['/rankingRules/start', 'not_for_method'],
      ],
    ],
  ])('reject %s', (_, input, expected) => {
    expect(violationsOf(football, input)).toEqual(expected);
  });

  test('are returned with all lists, empty where the method has none', () => {
    expect(rulesForApi(rankingRuleSets.MARK)).toEqual({
      method: 'BEST_MARK',
      bonus: [],
      order: [],
      zones: [],
      classifications: [],
    });
  });
});
