/** Rows of the contests, stages, participants and adjustments of a demo season. */
import type { DemoEdition } from '../../../schema/demo-edition.ts';
import type { DemoData } from '../../../schema/demo.ts';
import type { AdjustmentRow } from '../adjustments/rows.ts';
import type { ContestRow } from '../contests/rows.ts';
import type { ParticipantRow } from '../participants/rows.ts';
import type { StageRow } from '../stages/rows.ts';

/** The values that all rows of a season have in common. */
export function seasonPartValues({ season, competition }: Pick<DemoEdition, 'season' | 'competition'>, { account }: DemoData) {
  const at = seasonCreatedAt(competition.createdAt, season.startDate);
  return {
    accountId: account.id,
    version: 1,
    createdAt: at,
    updatedAt: at,
    published: true,
    seasonId: season.id,
    sport: competition.sport,
  };
}

type PartValues = ReturnType<typeof seasonPartValues>;

/** 30 days before the first day of the season, but not before its competition. */
function seasonCreatedAt(competitionCreatedAt: string, startDate: string): string {
  const before = new Date(Date.parse(startDate) - 30 * 86_400_000).toISOString();
  return before > competitionCreatedAt ? before : competitionCreatedAt;
}

export interface SeasonParts {
  readonly contests: readonly ContestRow[];
  readonly stages: readonly StageRow[];
  readonly participants: readonly ParticipantRow[];
  readonly adjustments: readonly AdjustmentRow[];
}

const contestRows = (edition: DemoEdition, values: PartValues): ContestRow[] =>
  edition.contests.map(
    ({ id, name, eventCode, category, weightClass, course, distanceMeters, relay, implied }, ordinal): ContestRow => ({
      ...values,
      id,
      name,
      eventCode: eventCode ?? null,
      category: category ?? null,
      ageGroup: null,
      weightClass: weightClass ?? null,
      sportClass: null,
      course: course ?? null,
      distanceMeters: distanceMeters ?? null,
      relay: relay ?? false,
      implied: implied ?? false,
      ordinal,
    }),
  );

const stageRows = (edition: DemoEdition, values: PartValues): StageRow[] =>
  edition.contests.flatMap(({ id: contestId, stages }) =>
    stages.map(({ id, name, type, groups, bestOf, advancement }, ordinal): StageRow => ({
      ...values,
      id,
      contestId,
      name,
      type,
      ordinal,
      groups: [...(groups ?? [])],
      legs: 1,
      bestOf: bestOf ?? null,
      awayGoals: false,
      carryOver: null,
      continuousPositions: false,
      advancement: [...(advancement ?? [])],
      rankingRules: null,
    })),
  );

const participantRows = (edition: DemoEdition, values: PartValues): ParticipantRow[] =>
  edition.participants.map((each): ParticipantRow => ({
    ...values,
    id: each.id,
    contestId: each.contestId ?? null,
    type: each.type,
    teamId: each.teamId ?? null,
    athleteId: each.athleteId ?? null,
    memberIds: [...(each.memberIds ?? [])],
    name: each.name ?? null,
    representsTeamId: each.representsTeamId ?? null,
    representsName: null,
    representsCountry: each.representsCountry ?? null,
    groupName: each.group ?? null,
    division: null,
    seed: each.seed ?? null,
    entry: each.entry ?? null,
    bracketPosition: null,
    bib: each.bib ?? null,
  }));

const adjustmentRows = (edition: DemoEdition, values: PartValues): AdjustmentRow[] =>
  edition.adjustments.map(({ id, stageId, participantId, points, timeMs, reason, at }): AdjustmentRow => ({
    ...values,
    createdAt: at,
    updatedAt: at,
    id,
    stageId,
    participantId,
    points: points ?? null,
    timeMs: timeMs ?? null,
    reason,
  }));

export function seasonParts(edition: DemoEdition, demo: DemoData): SeasonParts {
  const values = seasonPartValues(edition, demo);
  return {
    contests: contestRows(edition, values),
    stages: stageRows(edition, values),
    participants: participantRows(edition, values),
    adjustments: adjustmentRows(edition, values),
  };
}
