/** Demo rows of the competitions area: competitions, seasons, and seasons with all their matches. */
import type { DemoCompetition, DemoSeason } from '../../../schema/demo.ts';
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import { rankingRulesOf } from '../../../schema/sports.ts';
import { addExternalId, type AreaSeed } from '../../runtime/area-seed.ts';
import { addEdition, type BestMarkRows } from './edition.ts';

/** A season is created in December of the year before it. The first seasons are created with their competition. */
function seasonCreatedAt({ createdAt }: DemoCompetition, { startDate }: DemoSeason, today: string): string {
  const at = [createdAt, `${Number(startDate.slice(0, 4)) - 1}-12-01T09:00:00.000Z`].sort().at(-1) ?? createdAt;
  return at > today ? createdAt : at;
}

export const competitionsSeed: AreaSeed = {
  tables: [
    'competition',
    'season',
    'contest',
    'stage',
    'participant',
    'adjustment',
    'match',
    'match_participant',
    'match_action',
    'result',
    'result_version',
    'ranking',
    'best_mark',
    'replay',
    'replay_tag',
    'external_id',
    'outbox',
  ],
  demo(demo, add) {
    const accountId = demo.account.id;
    const ownRules = new Map<string, RankingRules>();
    const bestMarks: BestMarkRows = new Map();
    for (const edition of demo.editions()) {
      const { competition, season } = edition;
      const rules = edition.rules ?? rankingRulesOf(competition.sport, competition.discipline);
      ownRules.set(season.id, rules);
      addEdition(edition, rules, demo, { add, bestMarks });
      // the relay sends it to the other areas, which then count its matches
      const event = { type: 'season.status_changed', resourceType: 'season', resourceId: season.id, version: 1, accountId };
      add('outbox', { ...event, at: demo.today });
    }
    for (const row of bestMarks.values()) add('best_mark', row);
    for (const competition of demo.competitions) {
      const { id, code, name, sport, discipline, type, category, level, country, organizerName, tier, promotesToId, createdAt } =
        competition;
      const rules = rankingRulesOf(sport, discipline);
      const facts = {
        status: 'PUBLISHED',
        name,
        code,
        sport,
        discipline,
        type,
        category,
        ageGroup: 'SENIOR',
        level,
        country,
        organizerName,
        tier,
        promotesToId,
      };
      add('competition', { id, accountId, createdAt, updatedAt: createdAt, ...facts, search: `${name} ${code}` });
      addExternalId(add, demo, 'competition', id, code);
      for (const season of competition.seasons) {
        const { name: edition, startDate, endDate, status } = season;
        const at = seasonCreatedAt(competition, season, demo.today);
        add('season', {
          id: season.id,
          accountId,
          createdAt: at,
          updatedAt: at,
          status,
          competitionId: id,
          published: true,
          sport,
          name: edition,
          startDate,
          endDate,
          rankingRules: JSON.stringify(ownRules.get(season.id) ?? rules),
        });
        addExternalId(add, demo, 'season', season.id, `${code}-${edition}`);
      }
    }
  },
};
