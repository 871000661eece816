/** The number of open requests of partners, next to the navigation item "Partner requests". */
import { usePartnerRequestCounts } from './partner-request-counts.ts';
import { CountBadge } from './review-badge.tsx';
import { reviewCountText } from './review-counts.ts';

export function PartnerRequestBadge() {
  const counts = usePartnerRequestCounts();
  return <RequestCount count={(counts?.plans ?? 0) + (counts?.verifications ?? 0)} />;
}

/** Nothing for zero. */
export function RequestCount({ count }: { readonly count: number }) {
  const text = reviewCountText(count);
  return text === null ? null : <CountBadge text={text} />;
}
