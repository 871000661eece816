/** The interval at which the screens of the portal with live data refetch. Their requests count against a daily limit of the account. */
export const refetchEveryMs = 60_000;
