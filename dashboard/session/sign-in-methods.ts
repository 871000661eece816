/** The labels of the sign-in methods of administrators and portal users. */
export const signInMethods = { PASSWORD: 'Password', OIDC: 'Identity provider', PASSKEY: 'Passkey' } as const;
