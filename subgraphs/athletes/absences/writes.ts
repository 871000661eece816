/** Writes of absences by the account of the athlete, and of suspensions by the account of a competition. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { hasFullAccess, owns, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import {
  removeRow,
  insertResource,
  lockRow,
  patchResource,
  requireAccount,
  resourceNotFound,
} from '../../../platform/writes/resource.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { unknownCompetitionViolation, visibleCompetitions, type CompetitionFacts } from '../../clients/competition-facts.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { isTreatedAsMinor } from '../athletes/age.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { removedStates } from '../athletes/rules.ts';
import { visibleWithConsent } from '../athletes/visible-rows.ts';
import type { CreateAbsenceInput, UpdateAbsenceInput } from '../generated/resolvers.ts';
import type { AbsenceReads } from './reads.ts';
import { absenceResource, type AbsenceRow } from './rows.ts';
import { absenceViolations, defaultDisclosure } from './rules.ts';

export type CompetitionsById = ReadonlyMap<string, CompetitionFacts>;

/** The competitions of suspensions: one fetch for any number of absences. */
export const loadCompetitions = (context: Context, inputs: readonly CreateAbsenceInput[]): Promise<CompetitionsById> =>
  visibleCompetitions(
    context,
    inputs.map(({ competitionId }) => competitionId),
  );

type Athlete = Pick<AthleteRow, 'accountId' | 'adultFrom' | 'activatedAsMinor'>;

/** Locks an athlete against removal. Undefined for one that the viewer cannot read. */
async function lockAthlete(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<Athlete | undefined> {
  const [row] = await transaction.query<Athlete>(sql`/* absences.athlete */
    select account_id as "accountId", adult_from as "adultFrom", activated_as_minor as "activatedAsMinor" from athlete
    where id = ${id} and status <> all(${[...removedStates]}) and ${visibleWithConsent(viewer, 'PROFILE')} for key share`);
  return row;
}

/** Inserts an absence. Throws Problem validation_failed (422). */
export async function insertAbsence(
  transaction: WriteTransaction,
  viewer: Viewer,
  { externalIds, ...input }: CreateAbsenceInput,
  competitions: CompetitionsById,
): Promise<AbsenceRow> {
  const { athleteId, kind, competitionId } = input;
  const accountId = requireAccount(viewer);
  const competition = competitionId ? competitions.get(competitionId) : undefined;
  const athlete = await lockAthlete(transaction, viewer, athleteId);
  const mayWrite =
    owns(viewer, athlete?.accountId ?? null) || (kind === 'SUSPENSION' && owns(viewer, competition?.accountId ?? null));
  const values = { ...input, disclosure: input.disclosure ?? defaultDisclosure(kind) };
  rejectInvalid([
    (!athlete || !mayWrite) && {
      pointer: '/athleteId',
      code: 'unknown_athlete',
      detail: 'Your account has no athlete with this ID. For others, record a SUSPENSION from a competition of your account.',
    },
    !!competitionId && !competition && unknownCompetitionViolation('/competitionId'),
    ...absenceViolations(values, !!athlete && isTreatedAsMinor(athlete)),
  ]);
  return insertResource(transaction, absenceResource, { accountId, ...values }, externalIds, { athleteId });
}

/** Locks an absence of the viewer's account. Throws Problem not_found (404), not_owner (403). */
export async function lockOwnAbsence(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<AbsenceRow> {
  const row = await lockRow(transaction, absenceResource, id);
  if (owns(viewer, row.accountId) || hasFullAccess(viewer)) return row;
  if (row.published || owns(viewer, row.athleteAccountId))
    throw new Problem('not_owner', 'Only the account that recorded this absence can change it.');
  throw resourceNotFound('absence', id);
}

/** Applies a merge patch to a locked absence. Throws Problem validation_failed (422). */
export async function patchAbsence(
  transaction: WriteTransaction,
  viewer: Viewer,
  before: AbsenceRow,
  { externalIds, ...patch }: UpdateAbsenceInput,
): Promise<AbsenceRow> {
  const { athleteId } = before;
  const athlete = await lockAthlete(transaction, viewer, athleteId);
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const row = await patchResource(transaction, absenceResource, before, patch, externalIds, { athleteId });
  // the organizer of a suspension cannot read an athlete who is hidden meanwhile
  const isMinor = !athlete || isTreatedAsMinor(athlete);
  if (Object.keys(given).length > 0) rejectInvalid(absenceViolations(row, isMinor));
  return row;
}

/** Creates the writes of absences. */
export function createAbsenceWrites({ writer }: AreaServices, reads: AbsenceReads) {
  const replay = replaysOf(reads.byId);

  return {
    async create(context: Context, input: CreateAbsenceInput, key: string | null | undefined): Promise<AbsenceRow> {
      requireAccount(context.viewer);
      const competitions = await loadCompetitions(context, [input]);
      const work = (transaction: WriteTransaction) => insertAbsence(transaction, context.viewer, input, competitions);
      return writer.write(context, work, replay(context, 'createAbsence', key, input));
    },
    update(context: Context, id: string, input: UpdateAbsenceInput, ifMatch: string): Promise<AbsenceRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwnAbsence(transaction, context.viewer, id);
        requireVersion(ifMatch, before.version);
        return patchAbsence(transaction, context.viewer, before, input);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<AbsenceRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwnAbsence(transaction, context.viewer, id);
        requireVersion(ifMatch, row.version);
        await removeRow(transaction, absenceResource, row, { athleteId: row.athleteId });
        return row;
      });
    },
  };
}
