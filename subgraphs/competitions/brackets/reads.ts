/** Reads the bracket of a season from the matches of its knock-out stages. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import { readBracket, type Bracket, type BracketTie } from '../rankings/bracket.ts';
import type { BracketMatch, MatchSlot } from '../rankings/bracket-links.ts';
import { decidedAlone, withInferredSources, withInferredTies } from '../rankings/inferred-links.ts';
import type { TieResult, TieRules } from '../rankings/tie.ts';
import type { MatchDuration, PlaceholderOutcome, QueryBracketArgs } from '../generated/resolvers.ts';
import { countingStatuses, type EndingValue, type ParticipantPart } from '../results/rows.ts';
import type { SeasonReads } from '../seasons/reads.ts';
import type { SeasonRow } from '../seasons/rows.ts';

/** A bracket with its season: the parent object of the `Bracket` resolvers. */
export interface BracketRow extends Bracket {
  readonly season: SeasonRow;
}

export type { BracketRound as BracketRoundRow, BracketSlot as BracketSlotRow } from '../rankings/bracket.ts';
export type BracketTieRow = BracketTie;

interface Entry {
  readonly participantId: string | null;
  readonly sourceMatchId: string | null;
  readonly sourceOutcome: PlaceholderOutcome | null;
  readonly seed: number | null;
  readonly bye: boolean;
  readonly bracketPosition: number | null;
  readonly part: ParticipantPart | null;
}

interface MatchOfBracket {
  readonly seasonId: string;
  readonly contestId: string;
  readonly stageId: string;
  readonly legs: number;
  readonly bestOf: number | null;
  readonly awayGoals: boolean;
  readonly matchId: string;
  readonly tieId: string | null;
  readonly leg: number | null;
  readonly round: string | null;
  readonly duration: MatchDuration | null;
  readonly endedBy: EndingValue | null;
  readonly entries: readonly Entry[];
}

function resultOf({ entries, duration, endedBy }: MatchOfBracket): TieResult | null {
  const [one, other] = entries.map(({ part }) => part);
  if (!one || !other) return null;
  const pair = (first: number | null, second: number | null): readonly [number, number] | null =>
    first === null || second === null ? null : [first, second];
  return {
    scores: pair(one.score, other.score),
    shootoutScores: pair(one.shootoutScore, other.shootoutScore),
    duration: duration ?? 'REGULAR',
    winnerId: [one, other].find(({ outcome }) => outcome === 'WIN')?.participantId ?? null,
    endedBy: endedBy?.method ?? null,
  };
}

/** `known` are the matches of the bracket. Placeholders for other matches are ignored. */
function slotOf(entry: Entry | undefined, known: ReadonlySet<string>): MatchSlot {
  if (!entry) return {};
  const { participantId, sourceMatchId, sourceOutcome, seed, bye } = entry;
  const source = sourceMatchId !== null && sourceOutcome !== null && known.has(sourceMatchId);
  return { participantId, seed, bye, placeholder: source ? { sourceMatchId, outcome: sourceOutcome } : null };
}

function bracketMatches(read: readonly MatchOfBracket[]): BracketMatch[] {
  const known = new Set(read.map(({ matchId }) => matchId));
  return read.map((match, index) => {
    const { matchId, stageId, tieId, leg, round, entries } = match;
    const roundKey = JSON.stringify([stageId, round]);
    const drawn = entries.flatMap(({ bracketPosition }) => bracketPosition ?? []);
    // By bracket position where it is known, else by start.
    const bracketPosition = drawn.length > 0 ? Math.min(...drawn) : 1_000_000 + index;
    const slots = [slotOf(entries[0], known), slotOf(entries[1], known)] as const;
    return {
      matchId,
      stageId,
      tieId,
      leg,
      round,
      roundKey,
      bracketPosition,
      slots,
      result: resultOf(match),
    };
  });
}

/** Reads the bracket with its links and those that follow from its participants, or without placeholders where they contradict each other, or with single matches where legs do. */
function bracketOf(matches: readonly BracketMatch[], rulesOf: (stageId: string | null) => TieRules): Bracket {
  const unlinked = matches.map(({ slots: [one, other], ...match }): BracketMatch => {
    return {
      ...match,
      slots: [
        { ...one, placeholder: null },
        { ...other, placeholder: null },
      ],
    };
  });
  const single = unlinked.map((match): BracketMatch => ({ ...match, tieId: null, stageId: null }));
  const tied = withInferredTies(matches);
  for (const attempt of [
    withInferredSources(tied, rulesOf),
    tied,
    matches.map(decidedAlone),
    unlinked.map(decidedAlone),
    single,
  ]) {
    const { value } = readBracket(attempt, rulesOf);
    if (value) return value;
  }
  throw new Error('single matches without placeholders always make a bracket');
}

/** The whole matches of knock-out stages that a condition on `stage` selects, in the order of their stages and starts. */
function readMatches(database: Queryable, condition: Sql): Promise<MatchOfBracket[]> {
  return database.query<MatchOfBracket>(sql`/* bracket.matches */
    select stage.season_id as "seasonId", match.contest_id as "contestId", match.stage_id as "stageId", stage.legs, stage.best_of as "bestOf",
      stage.away_goals as "awayGoals", match.id as "matchId", match.tie_id as "tieId", match.leg, match.round, result.duration,
      result.ended_by as "endedBy", (select coalesce(json_agg(json_build_object('participantId', entry.participant_id, 'sourceMatchId',
        entry.source_match_id, 'sourceOutcome', entry.source_outcome, 'seed', coalesce(entry.seed, participant.seed), 'bye', entry.bye,
        'bracketPosition', participant.bracket_position, 'part', case when result.id is not null then entry.result end) order by entry.ordinal), '[]')
        from match_participant entry left join participant on participant.id = entry.participant_id where entry.match_id = match.id) as entries
    from stage join match on match.stage_id = stage.id
    left join result on result.match_id = match.id and result.status = any(${[...countingStatuses]}::text[])
    where stage.type = 'KNOCKOUT' and ${condition} and match.status <> 'CANCELLED' and match.parent_id is null
    order by stage.ordinal, match.starts_at, match.id`);
}

/** The bracket of the matches of one contest, by the rules of their stages. */
function bracketFrom(read: readonly MatchOfBracket[]): Bracket {
  const rules = new Map(
    read.map(({ stageId, legs, bestOf, awayGoals }): [string, TieRules] => [
      stageId,
      { legs: legs === 2 ? 2 : 1, awayGoals, ...(bestOf === null ? {} : { bestOf }) },
    ]),
  );
  return bracketOf(bracketMatches(read), (stageId) => rules.get(stageId ?? '') ?? { legs: 1 });
}

export type BracketReads = ReturnType<typeof createBracketReads>;

/** Creates the read of brackets. */
export function createBracketReads({ database }: ListServices, seasons: SeasonReads) {
  /** The champion of each season that has a single contest. */
  const champions: BatchRead<string, string | null> = async (seasonIds) => {
    const read = await readMatches(database, sql`stage.season_id = any(${[...seasonIds]}::uuid[])`);
    const bySeason = Map.groupBy(read, ({ seasonId }) => seasonId);
    return seasonIds.map((id) => bracketFrom(bySeason.get(id) ?? []).championId);
  };

  return {
    champions,
    /** Null where the viewer cannot read the season or the contest. Throws Problem parameter_invalid (400) where one of several contests must be selected. */
    async read(context: Context, { seasonId, contestId, stageId }: QueryBracketArgs): Promise<BracketRow | null> {
      const season = await context.load(seasons.byId, seasonId);
      if (!season) return null;
      const contests = await database.query<{ id: string; isKnockout: boolean }>(sql`/* bracket.contests */
        select id, exists (select from stage where contest_id = contest.id and type = 'KNOCKOUT'
          and (${stageId ?? null}::uuid is null or id = ${stageId ?? null}::uuid)) as "isKnockout" from contest where season_id = ${season.id}`);
      if (contestId && !contests.some(({ id }) => id === contestId)) return null;
      if (stageId && !contests.some(({ isKnockout }) => isKnockout)) return null;
      const knockouts = contests.filter(({ id, isKnockout }) => isKnockout && (!contestId || id === contestId));
      if (knockouts.length > 1) {
        const detail = 'The season has several contests with a knock-out stage. Set `contestId`.';
        throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'contestId', code: 'required', detail }] });
      }
      const ofStage = stageId ? sql`stage.id = ${stageId}` : sql`true`;
      const ofContests = sql`stage.contest_id = any(${knockouts.map(({ id }) => id)}::uuid[])`;
      return { season, ...bracketFrom(await readMatches(database, sql`${ofContests} and ${ofStage}`)) };
    },
  };
}
