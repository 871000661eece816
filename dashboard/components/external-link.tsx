/** A link to a URL from user content. */
import { Anchor } from '@mantine/core';

/** A URL from user content, shortened in tables. Opens in a new tab without referrer; plain text unless it is HTTP or HTTPS. */
export const ExternalLink = ({ url, isComplete = false }: { readonly url: string; readonly isComplete?: boolean }) =>
  /^https?:\/\//i.test(url) ? (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      inherit
      display="block"
      {...(isComplete ? { style: { overflowWrap: 'anywhere' } } : { maw: 220, truncate: true })}
    >
      {url}
    </Anchor>
  ) : (
    <span>{url}</span>
  );
