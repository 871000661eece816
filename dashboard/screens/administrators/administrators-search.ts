/** The standings of administrators that the list can be narrowed to. */
export const administratorStatuses = ['INVITED', 'ACTIVE', 'DISABLED'] as const;
