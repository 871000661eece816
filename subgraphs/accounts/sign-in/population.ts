/** What the sign-in needs of a population: administrators or users of the portal. Each has own tables, so that no credential opens a session of the other. */
import type { Queryable, Sql } from '../../../platform/database/database.ts';
import type { Snapshot } from '../../../platform/writes/change.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { MemberRole } from '../../../schema/member-roles.ts';
import type { Role } from '../../../schema/roles.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import type { IdentityInput, Population as PopulationName, SetupPurpose, SignInMethod } from '../generated/resolvers.ts';
import type { PasskeyTable } from '../passkeys/passkey-table.ts';
import type { HistoryRecord } from '../recorded-rows.ts';
import type { SessionTable } from './sessions.ts';
import type { LinkTable } from './setup-links.ts';

/** An administrator or a portal user. */
export interface PersonRow extends Snapshot {
  readonly name: string;
  readonly email: string;
  readonly status: 'INVITED' | 'ACTIVE' | 'DISABLED';
  readonly signsInBy: SignInMethod | null;
  /** Role of an administrator. */
  readonly role?: Role;
}

export interface Credentials {
  readonly row: PersonRow;
  /** Must not leave the sign-in code. */
  readonly passwordHash: string | null;
}

/** A valid link; `personId` is null if the link creates the person. */
export interface SetupLinkRow {
  readonly purpose: SetupPurpose;
  readonly personId: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role | null;
  readonly memberRole: MemberRole | null;
  readonly accountName: string | null;
  /** Must not reach the page of the link. */
  readonly isKnownUser: boolean;
  readonly requiresCode: boolean;
  readonly expiresAt: string;
}

/** A person to insert: the ID is known before, so that history names the person as the actor. */
export interface NewPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

type Computed = Readonly<Record<string, Sql>>;

export interface Population {
  readonly name: PopulationName;
  /** How texts name a person. */
  readonly noun: string;
  /** Name of the table of persons. */
  readonly table: string;
  readonly sessions: SessionTable;
  readonly links: LinkTable;
  readonly passkeys: PasskeyTable;
  /** Locks what concurrent sign-ins with links and identities could both create. */
  lockAll(transaction: Queryable): Promise<void>;
  lock(transaction: Queryable, id: string): Promise<PersonRow>;
  /** A person with the password hash; null if there is none. */
  credentials(queryable: Queryable, where: Sql): Promise<Credentials | null>;
  /** Updates the status and computed columns of a locked person. */
  change(
    transaction: WriteTransaction,
    before: PersonRow,
    values: { readonly status: 'ACTIVE' },
    record: HistoryRecord,
    computed: Computed,
  ): Promise<PersonRow>;
  /** Records a history entry of an unchanged person. */
  record(transaction: WriteTransaction, row: PersonRow, record: HistoryRecord): void;
  /** The viewer of writes by a person who signs in. */
  viewerOf(person: { readonly id: string; readonly role?: Role | null | undefined }, address: string): Viewer;
  /** The text that the throttle counts for an email address. */
  throttledAs(email: string): string;
  /** Condition on `history h` and the ID of a person `p`: the person acted. */
  readonly actedAs: Sql;
  /** Finds a valid link, locked if `isLocked`. Throws Problem gone (410). */
  findLink(queryable: Queryable, token: string, isLocked?: boolean): Promise<SetupLinkRow>;
  /** Marks a found and locked link as used. */
  useLink(transaction: WriteTransaction, token: string): Promise<void>;
  /** Inserts the person of a link that has none. */
  insertByLink(
    transaction: WriteTransaction,
    person: NewPerson,
    link: SetupLinkRow,
    passwordHash: string,
    token: string,
  ): Promise<PersonRow>;
  /** Binds an identity with a verified address to a person who has another identity or none. */
  bind(transaction: WriteTransaction, person: PersonRow, identity: IdentityInput): Promise<PersonRow>;
  /** Admits an identity that is bound to no person. Throws Problem sign_in_failed (401). */
  admit(transaction: WriteTransaction, id: string, identity: IdentityInput): Promise<PersonRow>;
}
