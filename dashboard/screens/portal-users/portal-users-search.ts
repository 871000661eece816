/** The filters of the list of portal users. */
import { idPattern } from '../../components/list-search.ts';

export const portalUserStatuses = ['ACTIVE', 'DISABLED'] as const;

export const portalUsersSearch = { status: portalUserStatuses, account: idPattern } as const;
