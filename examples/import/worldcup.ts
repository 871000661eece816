/** Reads a World Cup (openfootball/worldcup.json) as national teams, groups, and a knock-out stage with links between matches. */
import { readFootball, readTitle, resultOf, startTimeOf, type Fixture } from './football-file.ts';
import { goalActions } from './goal-actions.ts';
import { keyOf } from './key.ts';
import { isPlaceholder, knockoutRounds, type KnockoutMatch, type Origin } from './knockout.ts';
import { requireCountries, teamDrafts } from './national-teams.ts';
import { nationalTeamOf } from './nations.ts';
import { step, stepOfSeason, type Draft, type Ids, type Plan, type Step } from './plan.ts';
import { matchdayOf } from './rounds.ts';
import type { ExternalId } from './row.ts';
import type { Decision } from './tie-break.ts';
import { advancementOf, rankingRulesOf } from './worldcup-format.ts';

const scheme = 'OPENFOOTBALL';

export interface WorldCupOptions {
  readonly decisions: readonly Decision[];
  /** Teams of dissolved states have the country of the successor. */
  readonly successors: boolean;
}

/** `Luzhniki Stadium, Moscow` is a stadium and its city. */
function venueOf(ground: string): object {
  const [, name, city] = /^(.+?),\s*([^,]+)$/.exec(ground) ?? [];
  return name === undefined ? { name: ground } : { name, city };
}

/**
 * Reads the text of a World Cup.
 * @throws {Error} when the text does not have the format of worldcup.json, or a decision names an unknown group or team.
 * @throws {RejectedFile} for years that are impossible, and for dissolved states without `successors`.
 */
export function readWorldCup(text: string, { decisions, successors }: WorldCupOptions): Plan {
  const { name, fixtures, rejected } = readFootball(text);
  const days = fixtures.map(({ date }) => date).toSorted();
  if (days[0] === undefined) throw new Error('The file has no match that can be read');
  if (fixtures.every(({ group, round }) => group === null && matchdayOf(round) !== null))
    throw new Error('The file has matchdays only, no groups and no knock-out rounds. Use the command season for a league.');
  const title = readTitle(name);
  const competition = { scheme, value: keyOf(title.competition) };
  const season = { scheme, value: `${competition.value}/${keyOf(title.season)}` };
  const groups = Map.groupBy(
    fixtures.filter(({ group }) => group !== null),
    ({ group }) => group ?? '',
  );
  const groupOf = new Map(
    [...groups].flatMap(([group, own]) => own.flatMap(({ teams }) => teams.map((team) => [team, group] as const))),
  );
  const names = [...new Set(fixtures.flatMap(({ teams }) => teams))].filter((team) => !isPlaceholder(team)).toSorted();
  if (!successors) requireCountries(names);
  const stageId = (ids: Ids, stage: 'groups' | 'knockout'): string => ids.of('stages', `${season.value}/${stage}`);
  const participantId = (ids: Ids, team: string): string => ids.of('participants', `${season.value}/${keyOf(team)}`);

  const matchKey = (fixture: Fixture): string =>
    `${season.value}/${fixture.group === null ? keyOf(fixture.round) : keyOf(fixture.group)}/${fixture.number ?? fixture.teams.map(keyOf).join('/')}`;
  const placeholderOf = (ids: Ids, team: string, origin: Origin | null): object | null =>
    origin === null
      ? isPlaceholder(team)
        ? { text: team }
        : null
      : { sourceMatchId: ids.of('matches', matchKey(origin.fixture)), outcome: origin.outcome };
  const entryOf = (ids: Ids, team: string, origin: Origin | null): object => {
    const placeholder = placeholderOf(ids, team, origin);
    return {
      ...(!isPlaceholder(team) && { participantId: participantId(ids, team) }),
      ...(placeholder !== null && { placeholder }),
    };
  };
  const matchDraft = (
    fixture: Fixture,
    stage: 'groups' | 'knockout',
    origins: KnockoutMatch['origins'] = [null, null],
  ): Draft => ({
    place: fixture.place,
    label: fixture.teams.join(' – '),
    externalId: { scheme, value: matchKey(fixture) },
    members: (ids) => {
      const startTime = startTimeOf(fixture, null);
      const known = fixture.score !== null && !fixture.teams.some(isPlaceholder);
      const participantIds = known
        ? ([participantId(ids, fixture.teams[0]), participantId(ids, fixture.teams[1])] as const)
        : null;
      return {
        seasonId: ids.of('seasons', season.value),
        stageId: stageId(ids, stage),
        ...(fixture.group !== null && { group: fixture.group }),
        ...(fixture.round !== '' && { round: fixture.round }),
        ...(matchdayOf(fixture.round) !== null && { matchday: matchdayOf(fixture.round) }),
        date: fixture.date,
        ...(startTime !== null && { startTime }),
        ...(fixture.ground !== null && { venue: venueOf(fixture.ground) }),
        participants: [entryOf(ids, fixture.teams[0], origins[0]), entryOf(ids, fixture.teams[1], origins[1])],
        ...(participantIds !== null && {
          status: 'FINISHED',
          result: fixture.score && resultOf(fixture.score, participantIds),
          actions: goalActions(fixture, participantIds),
        }),
      };
    },
  });
  const decisionDrafts = decisions.map((decision, index): Draft => {
    const strangers = decision.teams.filter((team) => groupOf.get(team) !== decision.group);
    if (!groups.has(decision.group))
      throw new Error(`--decide: unknown ${decision.group}; known: ${[...groups.keys()].join(', ')}`);
    if (strangers.length > 0)
      throw new Error(
        `--decide: ${strangers.join(' and ')} did not play in ${decision.group}, where ${[...groupOf]
          .filter(([, group]) => group === decision.group)
          .map(([team]) => team)
          .join(', ')} did`,
      );
    return {
      place: `--decide ${index + 1}`,
      label: decision.teams.join(' > '),
      externalId: {
        scheme,
        value: `${season.value}/decision/${keyOf(decision.group)}/${decision.teams.map(keyOf).toSorted().join('/')}`,
      },
      members: (ids) => ({
        stageId: stageId(ids, 'groups'),
        group: decision.group,
        participantIds: decision.teams.map((team) => participantId(ids, team)),
        criterion: decision.criterion,
        reason: decision.reason,
      }),
    };
  });
  const single = (id: ExternalId, label: string, members: Draft['members'], initial = {}): Draft[] => [
    { place: 'file', label, externalId: id, members, initial },
  ];
  const stage = (key: string, members: object): Draft => ({
    place: 'file',
    label: key,
    externalId: { scheme, value: `${season.value}/${key}` },
    members: () => ({ ...members }),
  });
  const rounds = knockoutRounds(fixtures.filter(({ group }) => group === null));
  const advancement = advancementOf(groups, rounds.flat());
  const rankingRules = rankingRulesOf(Number(days[0].slice(0, 4)));
  // A match needs the IDs of the matches it refers to: the first batch has the groups and the first round, each later batch one round.
  const [first = [], ...later] = rounds.map((round) =>
    round.map(({ fixture, origins }) => matchDraft(fixture, 'knockout', origins)),
  );
  const groupMatches = [...groups.values()].flat().map((fixture) => matchDraft(fixture, 'groups'));
  const matches = [[...rejected, ...groupMatches, ...first], ...later].map((drafts): Step =>
    step('matches', '/competitions/matches', drafts),
  );
  const isOver = rejected.length === 0 && fixtures.every((fixture) => fixture.score !== null);

  return {
    steps: [
      step('teams', '/organizations/teams', teamDrafts(names)),
      step(
        'competitions',
        '/competitions',
        single(
          competition,
          title.competition,
          () => ({
            name: title.competition,
            sport: 'FOOTBALL',
            discipline: 'ASSOCIATION',
            type: 'TOURNAMENT',
            category: 'MEN',
            level: 'INTERNATIONAL',
            status: 'PUBLISHED',
          }),
          { rankingRules },
        ),
      ),
      step(
        'seasons',
        '/competitions/seasons',
        single(
          season,
          title.season,
          (ids) => ({
            competitionId: ids.of('competitions', competition.value),
            name: title.season,
            startDate: days[0],
            endDate: days.at(-1),
            status: 'IN_PROGRESS',
          }),
          { rankingRules },
        ),
      ),
      stepOfSeason('stages', season, 'stages', [
        ...(groups.size > 0
          ? [
              stage('groups', {
                name: 'Group stage',
                type: 'GROUP',
                order: 0,
                groups: [...groups.keys()].toSorted(),
                ...(advancement.length > 0 && { advancement }),
              }),
            ]
          : []),
        ...(rounds.length > 0 ? [stage('knockout', { name: 'Knock-out stage', type: 'KNOCKOUT', order: 1 })] : []),
      ]),
      stepOfSeason(
        'participants',
        season,
        'participants',
        names.map((team) => ({
          place: 'team',
          label: team,
          externalId: { scheme, value: `${season.value}/${keyOf(team)}` },
          members: (ids) => ({
            type: 'TEAM',
            teamId: ids.of('teams', `world-cup/${keyOf(nationalTeamOf(team)?.code ?? team)}`),
            name: team,
            ...(groupOf.has(team) && { group: groupOf.get(team) }),
          }),
        })),
      ),
      stepOfSeason('decisions', season, 'tie-break-decisions', decisionDrafts),
      ...matches,
    ],
    finished: isOver ? [season.value] : [],
  };
}
