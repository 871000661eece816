/** Rankings by mark: of each stage over all its heats, and of the whole contest. Contests without marks are ranked by place. */
import { advancement } from '../rankings/advancement.ts';
import { rankByMark, type MarkEntry, type RankedMark } from '../rankings/by-mark.ts';
import { rankContest, type PhaseType } from '../rankings/contest.ts';
import { betterFirst, type MarkRule } from '../rankings/mark.ts';
import { ascending } from '../rankings/placing.ts';
import type { MarkUnit } from '../generated/resolvers.ts';
import type { ParticipantPart } from '../results/rows.ts';
import { eventRuleOf, kindOf } from './effective-rules.ts';
import { counts, isUndecided, type ContestFact, type MatchFact, type RankingFacts, type StageFact, type View } from './facts.ts';
import { recordOf } from './record.ts';
import type { RankedPlace, RankingRecord } from './rows.ts';

interface Entry extends MarkEntry {
  readonly part: ParticipantPart;
}

/** `unit` null: nothing is measured, so places are compared. */
type Rule = MarkRule | { readonly unit: null; readonly direction: 'LOWER_IS_BETTER' };

interface Phase {
  readonly stage: StageFact;
  readonly entries: readonly Entry[];
  /** The ranking over all heats, with one entry for each participant. */
  readonly ranking: readonly RankedMark<Entry>[];
  readonly decisions: readonly (readonly Entry[])[];
  readonly open: boolean;
}

const isPhase = ({ type }: StageFact): boolean => type !== 'SWIM_OFF';

/** The rule of the event, or without an event the rule that fits the unit of the marks. */
function ruleOf(facts: RankingFacts, contest: ContestFact, matches: readonly MatchFact[]): Rule {
  const byEvent = eventRuleOf(facts.season, contest);
  if (byEvent) return byEvent;
  const measured = matches.flatMap(({ entries }) => entries.flatMap(({ part }) => part?.mark?.unit ?? []))[0];
  if (contest.eventCode !== null || !measured) return { unit: null, direction: 'LOWER_IS_BETTER' };
  return { unit: measured, direction: measured === 'ms' ? 'LOWER_IS_BETTER' : 'HIGHER_IS_BETTER' };
}

const places = { WIN: 1, LOSS: 2, DRAW: 1, NO_CONTEST: null } as const;

function entriesOf(match: MatchFact, { unit }: Rule): Entry[] {
  return match.entries.flatMap(({ participantId, part }): Entry[] => {
    if (participantId === null || !part) return [];
    const { rank, outcome, invalidResultMark, countback, windMmPerS } = part;
    const place = rank ?? (outcome && places[outcome]);
    const mark = unit === null ? place : (part.mark?.value ?? null);
    return [{ participantId, matchId: match.id, mark, invalidResultMark, place: rank, countback, windMmPerS, part }];
  });
}

/** The best entry of each participant. Attempts that are recorded as matches give several entries. */
function bestOfEach(entries: readonly Entry[], { direction }: Rule): Entry[] {
  const better = betterFirst(direction);
  const isValid = ({ mark, invalidResultMark }: Entry): boolean => mark !== null && !invalidResultMark;
  return [...Map.groupBy(entries, ({ participantId }) => participantId).values()].flatMap((own) => {
    const [best] = own.toSorted(
      (one, other) =>
        Number(isValid(other)) - Number(isValid(one)) ||
        (isValid(one) ? better(one.mark ?? 0, other.mark ?? 0) : 0) ||
        ascending(one.matchId, other.matchId),
    );
    return best ?? [];
  });
}

/** The phase that a swim-off decides: the phase before it. */
function phaseOfSwimOff(stages: readonly StageFact[], swimOff: StageFact): StageFact | undefined {
  return stages.filter((each) => isPhase(each) && each.ordinal <= swimOff.ordinal).at(-1);
}

function phasesOf(facts: RankingFacts, contest: ContestFact, rule: Rule, view: View): Phase[] {
  const stages = facts.stages
    .filter((stage) => stage.contestId === contest.id && kindOf(facts, stage) === 'MARK')
    .toSorted((one, other) => one.ordinal - other.ordinal || ascending(one.id, other.id));
  const byTime = (one: MatchFact, other: MatchFact): number =>
    ascending(one.startsAt, other.startsAt) || ascending(one.id, other.id);
  const matchesOf = (stage: StageFact) => facts.matches.filter((match) => match.stageId === stage.id).toSorted(byTime);
  const counted = (stage: StageFact): Entry[][] =>
    matchesOf(stage)
      .filter((match) => counts(match, view))
      .map((match) => entriesOf(match, rule));
  return stages.map((stage) => {
    const entries = bestOfEach(counted(stage).flat(), rule);
    const decisions = stages
      .filter((each) => !isPhase(each) && phaseOfSwimOff(stages, each) === stage)
      .flatMap((swimOff) => counted(swimOff).filter((list) => list.length > 0));
    return {
      stage,
      entries,
      decisions,
      ranking: rankByMark(entries, { direction: rule.direction, decisions }),
      open: matchesOf(stage).some(isUndecided),
    };
  });
}

/** Whether an entry advances: as recorded in the result, or by the rules of the stage after its last heat; null while it is open. */
function qualifiedOf({ stage, entries, decisions, open }: Phase, { direction }: Rule): (entry: Entry) => boolean | null {
  const rules = stage.advancement.flatMap(({ by, count }) => (by === 'NEXT_PLACED' ? [] : [{ by, count }]));
  const { advancing, undecided } =
    stage.advancement.length > 0 && !open
      ? advancement(entries, { rules, direction, decisions })
      : { advancing: [], undecided: [] };
  const advancingIds = new Set(advancing.map(({ participantId }) => participantId));
  const tiedIds = new Set(undecided.flatMap(({ participantIds }) => participantIds));
  return ({ participantId, part }) => {
    if (part.qualified !== null) return part.qualified;
    if (stage.advancement.length === 0 || open || tiedIds.has(participantId)) return null;
    return advancingIds.has(participantId);
  };
}

/** A vacated place keeps its position, but not the mark of its former holder. */
function placeOf(
  { entry, rank, shared, gap, windAssisted, separatedBy }: RankedMark<Entry>,
  unit: MarkUnit | null,
  qualified: boolean | null,
): RankedPlace {
  const { participantId, part, mark, matchId, invalidResultMark = null, windMmPerS = null } = entry;
  const { vacated } = part;
  const visibleMark = unit === null || mark === null || vacated ? null : { value: mark, unit };
  return {
    position: rank,
    shared,
    vacated,
    participantId,
    mark: visibleMark,
    gap: visibleMark === null ? null : gap,
    invalidResultMark,
    windMmPerS,
    windAssisted,
    qualified,
    matchId,
    separatedBy,
  };
}

/** The rankings by mark of one contest; empty without heats, semi-finals or finals. */
export function markRankings(facts: RankingFacts, contest: ContestFact, view: View): RankingRecord[] {
  const own = facts.matches.filter((match) => match.contestId === contest.id && counts(match, view));
  const rule = ruleOf(facts, contest, own);
  const phases = phasesOf(facts, contest, rule, view);
  const scope = { seasonId: facts.season.id, contestId: contest.id, groupName: null };
  const ofStages = phases.flatMap((phase) => {
    const qualified = qualifiedOf(phase, rule);
    const rows = phase.ranking.map((row) => placeOf(row, rule.unit, qualified(row.entry)));
    return recordOf({ of: { ...scope, stageId: phase.stage.id }, stage: phase.stage, method: 'BEST_MARK', rows });
  });
  const inContest = phases
    .filter(({ stage }) => isPhase(stage))
    .map(({ stage, ranking }) => ({
      stageId: stage.id,
      // Cast: a contest ranked by mark has only phases and swim-offs, and the filter removed the swim-offs.
      type: stage.type as PhaseType,
      order: stage.ordinal,
      ranking,
    }));
  const ranked = rankContest(inContest);
  const top = ranked[0]?.stageId;
  const rows = ranked.map(({ rank, shared, stageId, row }) => {
    const place = { ...placeOf(row, rule.unit, null), position: rank, shared };
    // Marks of different phases are not compared.
    return stageId === top ? place : { ...place, gap: null };
  });
  return [...recordOf({ of: { ...scope, stageId: null }, method: 'BEST_MARK', rows }), ...ofStages];
}
