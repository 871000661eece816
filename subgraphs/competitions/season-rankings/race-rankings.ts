/** The classifications of a stage race: general, points, mountains, youth and teams. */
import {
  generalClassification,
  type GeneralClassification,
  type StageTime,
  type StageTimes,
  type TimeRow,
} from '../rankings/accumulated-time.ts';
import { pointsClassification, youthClassification, type PointsAward, type PointsRow } from '../rankings/classifications.ts';
import { ascending } from '../rankings/placing.ts';
import { teamClassification } from '../rankings/team-classification.ts';
import type { Classification } from '../generated/resolvers.ts';
import { kindOf, seasonRules } from './effective-rules.ts';
import { counts, inForce, type ContestFact, type RankingFacts, type StageFact, type View } from './facts.ts';
import { awardsOf } from './points-awards.ts';
import { recordOf } from './record.ts';
import type { RankedPlace, RankingRecord } from './rows.ts';

/** The value of `Participant.entry` for a rider in the youth classification. The rules of the race decide the eligibility. */
const youthEntry = 'YOUTH';

interface Race {
  readonly stages: readonly StageTimes[];
  readonly awards: readonly PointsAward[];
  readonly general: GeneralClassification;
}

/** In an individual time trial times have fractions of a second. In a team time trial riders of a team share a place. */
function kindOfStage(results: readonly StageTime[], teamOf: ReadonlyMap<string, string>): StageTimes['kind'] {
  const placed = results.filter((result) => typeof result.place === 'number' && teamOf.has(result.participantId));
  const byPlace = Map.groupBy(placed, ({ participantId, place }) => `${teamOf.get(participantId) ?? ''} ${place ?? ''}`);
  if ([...byPlace.values()].some((level) => level.length > 1)) return 'TEAM_TIME_TRIAL';
  return results.some(({ fractionMs = 0 }) => fractionMs > 0) ? 'INDIVIDUAL_TIME_TRIAL' : 'ROAD';
}

function raceOf(facts: RankingFacts, stages: readonly StageFact[], teamOf: ReadonlyMap<string, string>, view: View): Race {
  const vacated = new Map<string, boolean>();
  const awards: PointsAward[] = [];
  const times = stages.flatMap((stage): StageTimes[] => {
    const matches = facts.matches.filter((match) => match.stageId === stage.id && counts(match, view));
    const results = matches.flatMap((match) => {
      awards.push(...awardsOf(match));
      return match.entries.flatMap(({ participantId, part }): StageTime[] => {
        if (participantId === null || !part) return [];
        vacated.set(participantId, part.vacated);
        const value = part.mark?.value ?? null;
        const fractionMs = (value ?? 0) % 1000;
        return [
          {
            participantId,
            timeMs: value === null ? null : value - fractionMs,
            fractionMs,
            bonusMs: part.bonusMs ?? 0,
            penaltyMs: part.penaltyMs ?? 0,
            place: part.rank,
            invalidResultMark: part.invalidResultMark,
          },
        ];
      });
    });
    return results.length === 0 ? [] : [{ stageId: stage.id, order: stage.ordinal, kind: kindOfStage(results, teamOf), results }];
  });
  const ids = new Set(stages.map(({ id }) => id));
  const adjustments = facts.adjustments
    .filter((each) => ids.has(each.stageId) && inForce(each, facts.season, view))
    .flatMap(({ participantId, timeMs, points }) => {
      if (points !== null) awards.push({ participantId, points, at: 'STAGE' });
      return timeMs === null ? [] : [{ participantId, timeMs }];
    });
  const vacatedIds = [...vacated].flatMap(([participantId, isVacated]) => (isVacated ? [participantId] : []));
  return { stages: times, awards, general: generalClassification(times, { adjustments, vacated: vacatedIds }) };
}

const timeRow = ({ rank, timeMs, gapMs, shared, separatedBy, vacated, participantId }: TimeRow): RankedPlace => ({
  position: rank,
  shared,
  vacated,
  participantId,
  mark: vacated ? null : { value: timeMs, unit: 'ms' },
  gap: vacated ? null : gapMs,
  separatedBy,
});

const pointsRow = ({ rank, points, shared, separatedBy, vacated, participantId }: PointsRow): RankedPlace => ({
  position: rank,
  shared,
  vacated,
  participantId,
  ...(vacated ? {} : { points }),
  separatedBy,
});

/** The riders who left the race, with the reason. */
const withdrawnRows = ({ out }: GeneralClassification): RankedPlace[] =>
  out.map(({ participantId, invalidResultMark }) => ({
    position: null,
    shared: false,
    vacated: false,
    participantId,
    mark: null,
    invalidResultMark,
  }));

/** Team → its entry in the contest, which represents it in the team classification. */
function teamEntries({ participants }: RankingFacts, contest: ContestFact): ReadonlyMap<string, string> {
  const entries = participants
    .filter(({ type, contestId }) => type === 'TEAM' && (contestId ?? contest.id) === contest.id)
    .toSorted((one, other) => Number(one.contestId === null) - Number(other.contestId === null) || ascending(one.id, other.id));
  return new Map(entries.toReversed().flatMap(({ id, teamId }) => (teamId === null ? [] : [[teamId, id] as const])));
}

function classify(
  classification: Classification,
  race: Race,
  facts: RankingFacts,
  contest: ContestFact,
  teamOf: ReadonlyMap<string, string>,
): RankedPlace[] {
  const { general, awards, stages } = race;
  switch (classification) {
    case 'GC':
      return [...general.rows.map(timeRow), ...withdrawnRows(general)];
    case 'POINTS':
      return pointsClassification(
        'POINTS',
        awards.filter(({ at }) => at !== 'CLIMB'),
        general,
      ).map(pointsRow);
    case 'MOUNTAINS':
      return pointsClassification(
        'MOUNTAINS',
        awards.filter(({ at }) => at === 'CLIMB'),
        general,
      ).map(pointsRow);
    case 'YOUTH': {
      const eligible = facts.participants.filter(({ entry }) => entry === youthEntry).map(({ id }) => id);
      return youthClassification(general, new Set(eligible)).map(timeRow);
    }
    case 'TEAM': {
      const entries = teamEntries(facts, contest);
      return teamClassification(stages, teamOf, general).rows.flatMap(({ rank, teamId, timeMs, gapMs, shared, separatedBy }) => {
        const participantId = entries.get(teamId);
        const mark = { value: timeMs, unit: 'ms' } as const;
        return participantId === undefined
          ? []
          : [{ position: rank, shared, vacated: false, participantId, mark, gap: gapMs, separatedBy }];
      });
    }
  }
}

/** The classifications of one contest with race stages, as its rules list them. Default: the general classification. */
export function raceRankings(facts: RankingFacts, contest: ContestFact, view: View): RankingRecord[] {
  const rules = seasonRules(facts.season);
  const stages = facts.stages
    .filter((stage) => stage.contestId === contest.id && kindOf(facts, stage) === 'RACE')
    .toSorted((one, other) => one.ordinal - other.ordinal || ascending(one.id, other.id));
  const teamOf = new Map(
    facts.participants.flatMap(({ id, representsTeamId }) =>
      representsTeamId === null ? [] : [[id, representsTeamId] as const],
    ),
  );
  const race = raceOf(facts, stages, teamOf, view);
  const last = race.stages.at(-1)?.stageId;
  const earlier = stages.slice(
    0,
    Math.max(
      0,
      stages.findIndex(({ id }) => id === last),
    ),
  );
  const before = raceOf(facts, earlier, teamOf, view);
  const classifications: readonly Classification[] = rules.method === 'ACCUMULATED_TIME' ? rules.classifications : ['GC'];
  return classifications.flatMap((classification) => {
    const previous = new Map(
      classify(classification, before, facts, contest, teamOf).map((row) => [row.participantId, row.position]),
    );
    const rows = classify(classification, race, facts, contest, teamOf).map((row) => ({
      ...row,
      previousPosition: previous.get(row.participantId) ?? null,
    }));
    const scope = { seasonId: facts.season.id, contestId: contest.id, stageId: null, groupName: null };
    return recordOf({ of: scope, method: 'ACCUMULATED_TIME', classification, rows });
  });
}
