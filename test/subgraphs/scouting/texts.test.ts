/** Numbers in texts for people. */
import { expect, test } from '@jest/globals';
import { comparedNumberText, seasonSentence, seasonText } from '../../../subgraphs/scouting/texts/compared-number.ts';
import { percentileOrdinal } from '../../../subgraphs/scouting/texts/ordinal.ts';
import { growthPercentile } from '../../../subgraphs/scouting/talent/growth.ts';
import { metricsOf, sportNames } from '../../../schema/sports.ts';

test('percentiles are ordinals, so that they do not read as ranks', () => {
  const texts = [1, 2, 3, 11, 82, 91, 100].map(percentileOrdinal);
  expect(texts.map((text) => text.replace(' percentile', ''))).toEqual(['1st', '2nd', '3rd', '11th', '82nd', '91st', '100th']);
});

test('a sum has its rate per full match, and a share or a mark has none', () => {
  const number = { value: 3, matches: 6 };
  expect(comparedNumberText('FOOTBALL', 'goals', '', number)).toBe('Goals 3, 0.5 per 90 minutes');
  expect(comparedNumberText('TENNIS', 'aces', '', number)).toBe('Aces 3, 0.5 per match');
  expect(comparedNumberText('CYCLING', 'stageWins', '', number)).toBe('Stage wins 3, 0.5 per race');
  expect(comparedNumberText('TENNIS', 'winPct', '', { value: 200 / 3, matches: 6 })).toBe('Win percentage 66.7 %');
  expect(comparedNumberText('SWIMMING', 'seasonBestMs', '50_FREE', { value: 22_040, matches: 3 })).toBe(
    'Season best (time) 22.04 s',
  );
});

test('a season has full matches, matches, races or competitions', () => {
  expect(seasonSentence('FOOTBALL', '', 24.55, '2026-05-30')).toBe('Full matches: 24.6, until 2026-05-30.');
  expect(seasonSentence('SWIMMING', '50_FREE', 3, null)).toBe('Races: 3.');
  expect(seasonSentence('CYCLING', '', 3, null)).toBe('Races: 3.');
  expect(seasonSentence('ATHLETICS', 'LONG_JUMP', 2, null)).toBe('Competitions: 2.');
  expect(seasonText('TENNIS', '', 1, null)).toBe('1 match');
});

test('no two metrics of a sport have the same title', () => {
  for (const sport of sportNames) {
    const titles = metricsOf(sport).map(({ title }) => title);
    expect(titles).toEqual([...new Set(titles)]);
  }
});

test('a count that stays 0 is no growth', () => {
  expect(growthPercentile('goals', { rate: 0, rateBefore: 0 }, 90)).toBe(50);
  expect(growthPercentile('goals', { rate: 0, rateBefore: 0 }, 40)).toBe(40);
  expect(growthPercentile('goals', { rate: 1, rateBefore: 1 }, 90)).toBe(90);
  expect(growthPercentile('yellowCards', { rate: 0, rateBefore: 0 }, 90)).toBe(90);
  expect(growthPercentile('goals', { rate: 0, rateBefore: 0 }, null)).toBeNull();
});
