/** The skills of the sports, which the talent score weights. */
import { describe, expect, test } from '@jest/globals';
import { metricsOf, sportNames, sports } from '../../../schema/sports.ts';
import { skillsOf, valueWeights } from '../../../subgraphs/scouting/skills/skill-weights.ts';
import { skills, unscoredMetrics, type Skill } from '../../../subgraphs/scouting/skills/skills.ts';
import { section } from '../../pages.ts';

const rowsOf = (sport: (typeof sportNames)[number]): Skill[] => Object.values(skills[sport]);
const cases = sportNames.map((sport) => [sport] as const);

describe('the skills of', () => {
  test.each(cases)('%s contain each metric with a better direction once', (sport) => {
    const scored = metricsOf(sport)
      .filter(({ key, direction }) => direction !== 'NEUTRAL' && !unscoredMetrics.includes(key))
      .map(({ key }) => key);
    expect(
      rowsOf(sport)
        .flatMap(({ metrics }) => [...metrics].sort())
        .toSorted(),
    ).toEqual(scored.toSorted());
  });

  test.each(cases)('%s have weights that add up to 100 for each position group', (sport) => {
    const groups = Object.keys(sports[sport].positionGroups);
    for (const group of groups.length === 0 ? [''] : groups) {
      const weights = rowsOf(sport).map((each) => (typeof each.weights === 'number' ? each.weights : each.weights[group]));
      expect([group, weights.reduce<number>((sum, each) => sum + (each ?? NaN), 0)]).toEqual([group, 100]);
    }
  });
});

test('known metrics of a skill share its weight, and other metrics have none', () => {
  const weights = valueWeights(skillsOf('FOOTBALL', ['FW']), ['goals', 'shots', 'assists', 'yellowCards', 'saves']);
  expect(weights).toEqual([25, 25, 25, 0, 0]);
});

test('docs/matching.md lists the skills of football', () => {
  const rows = [
    ...section('docs/matching.md', 'Skills').matchAll(/^\| ([A-Z][^|]+) \| [^|]+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm),
  ];
  const documented = rows.map(([, title, ...weights]) => [title, weights.map(Number)]);
  const groups = ['GK', 'DF', 'MF', 'FW'];
  expect(documented).toEqual(
    rowsOf('FOOTBALL').map(({ title, weights }) => [
      title,
      groups.map((group) => (typeof weights === 'number' ? weights : weights[group])),
    ]),
  );
});
