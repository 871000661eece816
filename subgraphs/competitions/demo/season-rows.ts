/** Demo data: the parts of a season as rows. */
import type { DemoEdition } from '../../../schema/demo-edition.ts';
import type { DemoData } from '../../../schema/demo.ts';
import type { AdjustmentRow, ContestRow, ParticipantRow, StageRow } from '../season-parts/rows.ts';

/** What all rows of a season have. */
export function partOfSeason({ season, competition }: DemoEdition, { account }: DemoData) {
  const at = seasonMadeAt(competition.createdAt, season.startDate);
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

/** A month before it begins, and never before its competition. */
export function seasonMadeAt(competitionMadeAt: string, startDate: string): string {
  const before = new Date(Date.parse(startDate) - 30 * 86_400_000).toISOString();
  return before > competitionMadeAt ? before : competitionMadeAt;
}

export interface SeasonParts {
  readonly contests: readonly ContestRow[];
  readonly stages: readonly StageRow[];
  readonly participants: readonly ParticipantRow[];
  readonly adjustments: readonly AdjustmentRow[];
}

export function seasonParts(edition: DemoEdition, demo: DemoData): SeasonParts {
  const of = partOfSeason(edition, demo);
  return {
    contests: edition.contests.map(
      ({ id, name, eventCode, category, weightClass, course, distanceMeters, relay, implied }, ordinal): ContestRow => ({
        ...of,
        id,
        name,
        eventCode: eventCode ?? null,
        category: category ?? null,
        ageGroup: null,
        weightClass: weightClass ?? null,
        course: course ?? null,
        distanceMeters: distanceMeters ?? null,
        relay: relay ?? false,
        implied: implied ?? false,
        ordinal,
      }),
    ),
    stages: edition.contests.flatMap(({ id: contestId, stages }) =>
      stages.map(({ id, name, type, groups, bestOf, advancement }, ordinal): StageRow => ({
        ...of,
        id,
        contestId,
        name,
        type,
        ordinal,
        groups: [...(groups ?? [])],
        legs: 1,
        bestOf: bestOf ?? null,
        awayGoals: false,
        advancement: [...(advancement ?? [])],
        rankingRules: null,
      })),
    ),
    participants: edition.participants.map((each): ParticipantRow => ({
      ...of,
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
      seed: each.seed ?? null,
      entry: each.entry ?? null,
      bracketPosition: null,
      bib: each.bib ?? null,
    })),
    adjustments: edition.adjustments.map(({ id, stageId, participantId, points, timeMs, reason, at }): AdjustmentRow => ({
      ...of,
      createdAt: at,
      updatedAt: at,
      id,
      stageId,
      participantId,
      points: points ?? null,
      timeMs: timeMs ?? null,
      reason,
    })),
  };
}
