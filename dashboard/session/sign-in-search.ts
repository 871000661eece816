/** The search parameters of the sign-in page. */

interface SignInSearch {
  /** The path to return to after the sign-in. */
  readonly back?: string | undefined;
  /** The error code of a failed sign-in with the identity provider. */
  readonly problem?: string | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A path below the path of the app; undefined for any other URL, which prevents open redirects. */
const path = (value: unknown): string | undefined => (/^\/(?![/\\])\P{Cc}*$/u.test(text(value) ?? '') ? text(value) : undefined);

export const signInSearch = (search: Readonly<Record<string, unknown>>): SignInSearch => ({
  back: path(search['back']),
  problem: text(search['problem']),
});
