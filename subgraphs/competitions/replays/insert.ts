/** New replays: of a match or an athlete of the account, that the account may know. */
import { Problem, validationProblem, rejectInvalid } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { insertResource, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { isAthleteVisible, unknownAthleteViolation, type AthleteFacts, type AthletesById } from '../../clients/athlete-facts.ts';
import { overViolation } from './rules.ts';
import type { CreateReplayInput } from '../resolvers.generated.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import { heldBackReplayResource, replayResource, type ReplayRow } from './rows.ts';
import { about, showsMinor } from './transitions.ts';
import { replayValues } from './values.ts';

/** The match of a replay, held as it is until the commit: publishing it waits for the replay, or the replay for it. */
export async function holdMatch(transaction: WriteTransaction, id: string | null | undefined): Promise<MatchRow | null> {
  if (!id) return null;
  const [row] = await transaction.query<MatchRow>(
    sql`/* replays.holdMatch */ select ${matchResource.table.columns} from match where id = ${id} for share`,
  );
  return row ?? null;
}

const ofSport = (viewer: Viewer, sports: readonly Sport[]): boolean => viewer.sport === null || sports.includes(viewer.sport);

/** The match, as far as the viewer may know of it. */
function knownMatch(viewer: Viewer, match: MatchRow | null): MatchRow | null {
  const seen = match !== null && (match.published || owns(viewer, match.accountId) || hasFullAccess(viewer));
  return seen && ofSport(viewer, [match.sport]) ? match : null;
}

/** The athlete, as far as the viewer may know of him. */
function knownAthlete(viewer: Viewer, athlete: AthleteFacts | undefined): AthleteFacts | null {
  const sports = athlete?.sports.map(({ sport }) => sport) ?? [];
  return athlete && isAthleteVisible(athlete, viewer) && ofSport(viewer, sports) ? athlete : null;
}

/** The sport that an athlete is seen at: that of the host, or the main one. */
function sportOf(viewer: Viewer, athlete: AthleteFacts | null): Sport | null {
  return viewer.sport ?? athlete?.sports.find(({ primary }) => primary)?.sport ?? athlete?.sports[0]?.sport ?? null;
}

/**
 * Inserts a replay; with a minor in it, what is to be published waits for a moderator.
 * Throws Problem validation_failed (422), and not_owner (403) for a match, or without one an athlete, of another account.
 */
export async function insertReplay(
  transaction: WriteTransaction,
  viewer: Viewer,
  input: CreateReplayInput,
  athletes: AthletesById,
): Promise<ReplayRow> {
  const accountId = requireAccount(viewer);
  const match = knownMatch(viewer, await holdMatch(transaction, input.matchId));
  const athlete = input.athleteId ? knownAthlete(viewer, athletes.get(input.athleteId)) : null;
  const publishes = input.status === 'PUBLISHED';
  const violations = [
    !input.matchId &&
      !input.athleteId && {
        pointer: '/matchId',
        code: 'required',
        detail: 'Name the match it shows, or the athlete it is about.',
      },
    !!input.athleteId && !athlete && unknownAthleteViolation('/athleteId'),
    publishes && overViolation(input.rights?.expiresAt),
  ];
  if (input.matchId && !match) {
    const detail = 'There is no match with this id.';
    throw validationProblem([{ pointer: '/matchId', code: 'unknown_match', detail }, ...violations]);
  }
  rejectInvalid(violations);
  if (!owns(viewer, match?.accountId ?? athlete?.accountId ?? null))
    throw new Problem('not_owner', 'A replay is of a match of your account, or without one about an athlete of your account.');
  const athleteIds = athlete ? [athlete.id] : [];
  const waits = publishes && showsMinor({ athleteIds, reviewedAthleteIds: [] }, athletes);
  const values = {
    ...replayValues(input),
    accountId,
    status: waits ? 'REVIEW' : publishes ? 'PUBLISHED' : 'DRAFT',
    published: publishes && !waits && match?.published !== false,
    matchId: match?.id ?? null,
    seasonId: match?.seasonId ?? null,
    athleteId: athlete?.id ?? null,
    athleteIds,
    sport: match?.sport ?? sportOf(viewer, athlete),
  } as const;
  const resource = waits ? heldBackReplayResource : replayResource;
  return insertResource(transaction, resource, values, input.externalIds, about(values));
}
