/** What a setup link of the portal contains. */
import type { MemberRole } from '../../../schema/member-roles.ts';

export interface SetupLink {
  readonly purpose: 'INVITATION' | 'RESET';
  readonly email: string;
  readonly memberRole: MemberRole | null;
  readonly accountName: string | null;
  /** Whether the user has a second factor. */
  readonly requiresCode: boolean;
  readonly expiresAt: string;
}
