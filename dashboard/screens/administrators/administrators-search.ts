/** The status filter of the list of administrators. */
export const administratorStatuses = ['INVITED', 'ACTIVE', 'DISABLED'] as const;
