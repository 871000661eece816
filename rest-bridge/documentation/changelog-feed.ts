/** The API changelog as an Atom feed (RFC 4287). */
import { changelogSections } from './guides.ts';
import { escape } from './html.ts';

const pagePath = '/docs/changelog';

/** @param base scheme and host of the server; the ids of entries do not contain it, so that they stay the same */
export function changelogFeed(base: string): string {
  const sections = changelogSections();
  const entries = sections.map(
    ({ date, html }) => `  <entry>
    <id>urn:talent-platform:api-changelog:${date}</id>
    <title>API changes of ${date}</title>
    <updated>${date}T00:00:00Z</updated>
    <link href="${escape(`${base}${pagePath}#${date}`)}"/>
    <content type="html">${escape(html)}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:talent-platform:api-changelog</id>
  <title>Talent Platform: API changelog</title>
  <author><name>Talent Platform</name></author>
  <updated>${sections[0]?.date ?? '1970-01-01'}T00:00:00Z</updated>
  <link rel="self" href="${escape(`${base}${pagePath}.atom`)}"/>
  <link href="${escape(`${base}${pagePath}`)}"/>
${entries.join('\n')}
</feed>
`;
}
