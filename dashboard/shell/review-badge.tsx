/** The number of items that wait for a moderator, next to the navigation item "Moderation". */
import { Badge, VisuallyHidden } from '@mantine/core';
import { reviewCountText, useReviewCounts } from './review-counts.ts';

export function ReviewBadge() {
  const counts = useReviewCounts();
  const text = reviewCountText(Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0));
  return text === null ? null : <CountBadge text={text} />;
}

/** A count with an explanation for screen readers. */
export const CountBadge = ({ text }: { readonly text: string }) => (
  <Badge size="sm" variant="default" className="review-count">
    {text}
    <VisuallyHidden> waiting</VisuallyHidden>
  </Badge>
);
