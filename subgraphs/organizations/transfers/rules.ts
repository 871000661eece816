/** What each type of transfer needs and changes, and the violations of a transfer. */
import type { Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import { currencyViolation, unknownOrganizationViolation } from '../../runtime/input-violations.ts';
import type { CreateTransferInput, TransferFeeInput, TransferType } from '../generated/resolvers.ts';

interface TypeRules {
  readonly from: 'REQUIRED' | 'OPTIONAL';
  readonly to: 'REQUIRED' | 'OPTIONAL' | 'NEVER';
  /** Whether clubs pay a fee for it. */
  readonly hasFee: boolean;
}

export const transferTypes: Readonly<Record<TransferType, TypeRules>> = {
  PERMANENT: { from: 'OPTIONAL', to: 'REQUIRED', hasFee: true },
  LOAN: { from: 'OPTIONAL', to: 'REQUIRED', hasFee: true },
  LOAN_RETURN: { from: 'REQUIRED', to: 'REQUIRED', hasFee: false },
  FREE: { from: 'OPTIONAL', to: 'OPTIONAL', hasFee: false },
  YOUTH_PROMOTION: { from: 'REQUIRED', to: 'REQUIRED', hasFee: false },
  RETIREMENT: { from: 'OPTIONAL', to: 'NEVER', hasFee: false },
};

type Violations = readonly (Violation | false | null)[];

/** An organization and a team of a transfer, as far as the caller can read them. */
export interface TransferSide {
  readonly organization: { readonly id: string; readonly accountId: string } | undefined;
  readonly team: { readonly organizationId: string | null; readonly sport: Sport } | undefined;
}

type Side = 'from' | 'to';

function teamViolation(side: Side, teamId: string | null | undefined, { organization, team }: TransferSide): Violation | null {
  if (!teamId) return null;
  const pointer = `/${side}TeamId`;
  if (!team) return { pointer, code: 'unknown_team', detail: 'There is no team with this ID.' };
  if (organization && team.organizationId === organization.id) return null;
  const detail = `The team does not belong to \`${side}OrganizationId\`.`;
  return { pointer, code: 'foreign_team', detail };
}

function sideViolations(side: Side, input: CreateTransferInput, resolved: TransferSide): Violations {
  const need = transferTypes[input.type][side];
  const [organizationId, teamId] =
    side === 'from' ? [input.fromOrganizationId, input.fromTeamId] : [input.toOrganizationId, input.toTeamId];
  const pointer = `/${side}OrganizationId`;
  if (need === 'NEVER' && (organizationId || teamId))
    return [{ pointer, code: 'not_for_type', detail: `A transfer of type ${input.type} has no new organization.` }];
  return [
    need === 'REQUIRED' &&
      !organizationId && {
        pointer,
        code: 'required',
        detail: `\`${side}OrganizationId\` is required for a transfer of type ${input.type}.`,
      },
    !!organizationId && !resolved.organization && unknownOrganizationViolation(pointer),
    teamViolation(side, teamId, resolved),
  ];
}

/** Violations of a fee. The amount of an undisclosed fee is not stored, so that it cannot leak. */
export function feeViolations(type: TransferType, fee: TransferFeeInput | null | undefined): Violations {
  if (!fee) return [];
  if (!transferTypes[type].hasFee)
    return [{ pointer: '/fee', code: 'not_for_type', detail: `A transfer of type ${type} has no fee.` }];
  const isAbsent = (value: number | string | null | undefined): boolean => value === undefined || value === null;
  if (fee.disclosed === false) {
    if (isAbsent(fee.amountMinor) && isAbsent(fee.currency)) return [];
    const detail = 'An undisclosed fee has no `amountMinor` and no `currency`. Remove them, or set `disclosed` to true.';
    return [{ pointer: '/fee/amountMinor', code: 'not_disclosed', detail }];
  }
  return [
    isAbsent(fee.amountMinor) && {
      pointer: '/fee/amountMinor',
      code: 'required',
      detail: '`amountMinor` is required for a disclosed fee. Set `disclosed` to false if the amount is not public.',
    },
    isAbsent(fee.currency) && {
      pointer: '/fee/currency',
      code: 'required',
      detail: '`currency` is required together with `amountMinor`.',
    },
    currencyViolation('/fee/currency', fee.currency),
  ];
}

/** Violations of the last day of a loan. */
export function loanViolations(type: TransferType, date: string, loanUntil: string | null | undefined): Violations {
  if (!loanUntil) return [];
  return [
    type !== 'LOAN' && { pointer: '/loanUntil', code: 'not_for_type', detail: 'Only a transfer of type LOAN has `loanUntil`.' },
    loanUntil < date && {
      pointer: '/loanUntil',
      code: 'before_start',
      detail: `The loan cannot end before it starts on ${date}.`,
    },
  ];
}

/** Violations of a new transfer. */
export function transferViolations(
  input: CreateTransferInput,
  resolved: { readonly isAthleteVisible: boolean; readonly from: TransferSide; readonly to: TransferSide },
): Violations {
  const { type, date, fromOrganizationId, toOrganizationId, fromTeamId, toTeamId } = input;
  const stays = !!fromOrganizationId && fromOrganizationId === toOrganizationId && (fromTeamId ?? null) === (toTeamId ?? null);
  return [
    !resolved.isAthleteVisible && {
      pointer: '/athleteId',
      code: 'unknown_athlete',
      detail: 'There is no athlete with this ID.',
    },
    ...sideViolations('from', input, resolved.from),
    ...sideViolations('to', input, resolved.to),
    type === 'FREE' &&
      !fromOrganizationId &&
      !toOrganizationId && {
        pointer: '/toOrganizationId',
        code: 'required',
        detail: 'Specify `fromOrganizationId`, `toOrganizationId` or both.',
      },
    stays && {
      pointer: '/toOrganizationId',
      code: 'same',
      detail: 'A transfer needs another organization, or another team of the same organization.',
    },
    ...feeViolations(type, input.fee),
    ...loanViolations(type, date, input.loanUntil),
  ];
}
