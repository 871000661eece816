/** Inserts replays of a match or an athlete of the account. */
import { Problem, validationProblem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { insertResource, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { isAthleteVisible, unknownAthleteViolation, type AthleteFacts, type AthletesById } from '../../clients/athlete-facts.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import type { CreateReplayInput } from '../generated/resolvers.ts';
import { isVisible } from '../visibility.ts';
import { expiredViolation } from './rules.ts';
import { heldReplayResource, replayResource, type ReplayRow } from './rows.ts';
import { replayEventData, showsMinor } from './transitions.ts';
import { replayValues } from './values.ts';

/** Locks the match of a replay against changes, so that publishing the match and this write run one after the other. */
export async function lockMatch(transaction: WriteTransaction, id: string | null | undefined): Promise<MatchRow | null> {
  if (!id) return null;
  const [row] = await transaction.query<MatchRow>(
    sql`/* replays.lockMatch */ select ${matchResource.table.columns} from match where id = ${id} for share`,
  );
  return row ?? null;
}

/** The match; null where the viewer cannot read it. */
const visibleMatch = (viewer: Viewer, match: MatchRow | null): MatchRow | null =>
  match !== null && isVisible(viewer, match) ? match : null;

/** The athlete; null where the viewer cannot read the athlete, or where the athlete has another sport than the key. */
function visibleAthlete(viewer: Viewer, athlete: AthleteFacts | undefined): AthleteFacts | null {
  if (!athlete || !isAthleteVisible(athlete, viewer)) return null;
  return viewer.sport === null || athlete.sports.some(({ sport }) => sport === viewer.sport) ? athlete : null;
}

/** The sport of a replay without a match: that of the key, or the athlete's primary sport. */
function sportOf(viewer: Viewer, athlete: AthleteFacts | null): Sport | null {
  return viewer.sport ?? athlete?.sports.find(({ primary }) => primary)?.sport ?? athlete?.sports[0]?.sport ?? null;
}

interface Subjects {
  readonly match: MatchRow | null;
  readonly athlete: AthleteFacts | null;
}

function validate(viewer: Viewer, input: CreateReplayInput, { match, athlete }: Subjects): void {
  const { matchId, athleteId, rights, status } = input;
  const violations: (Violation | null | false)[] = [
    !matchId && !athleteId && { pointer: '/matchId', code: 'required', detail: 'Set `matchId`, `athleteId` or both.' },
    !!athleteId && !athlete && unknownAthleteViolation('/athleteId'),
    status === 'PUBLISHED' && expiredViolation(rights?.expiresAt),
  ];
  if (matchId && !match) {
    const detail = 'There is no match with this ID.';
    throw validationProblem([{ pointer: '/matchId', code: 'unknown_match', detail }, ...violations]);
  }
  rejectInvalid(violations);
  if (!owns(viewer, match?.accountId ?? athlete?.accountId ?? null))
    throw new Problem('not_owner', 'You can create replays of matches and athletes of your account only.');
}

/** The values that follow from the match and the athlete. */
const subjectValues = (viewer: Viewer, { match, athlete }: Subjects) => ({
  matchId: match?.id ?? null,
  seasonId: match?.seasonId ?? null,
  athleteId: athlete?.id ?? null,
  athleteIds: athlete ? [athlete.id] : [],
  sport: match?.sport ?? sportOf(viewer, athlete),
});

/**
 * Inserts a replay. A replay to publish that shows a minor is inserted in review.
 * Throws Problem validation_failed (422), and not_owner (403) for a match, or without a match for an athlete, of another account.
 */
export async function insertReplay(
  transaction: WriteTransaction,
  viewer: Viewer,
  input: CreateReplayInput,
  athletes: AthletesById,
): Promise<ReplayRow> {
  const accountId = requireAccount(viewer);
  const match = visibleMatch(viewer, await lockMatch(transaction, input.matchId));
  const athlete = input.athleteId ? visibleAthlete(viewer, athletes.get(input.athleteId)) : null;
  validate(viewer, input, { match, athlete });
  const subject = subjectValues(viewer, { match, athlete });
  const publishes = input.status === 'PUBLISHED';
  const isHeld = publishes && showsMinor({ ...subject, reviewedAthleteIds: [] }, athletes);
  const values = {
    ...replayValues(input),
    ...subject,
    accountId,
    status: isHeld ? 'REVIEW' : publishes ? 'PUBLISHED' : 'DRAFT',
    published: publishes && !isHeld && match?.published !== false,
  } as const;
  const resource = isHeld ? heldReplayResource : replayResource;
  return insertResource(transaction, resource, values, input.externalIds, replayEventData(values));
}
