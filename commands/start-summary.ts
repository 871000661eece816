/** What `npm start` prints on a terminal when the platform is ready. */

export interface StartSummary {
  /** Origin of the public server, such as `http://localhost:4000`. */
  readonly origin: string;
  /** One-time link with which the reader becomes the first owner; null when there is an owner. */
  readonly setupUrl: string | null;
}

/** The addresses, the setup link and the next step, as text for a terminal. */
export function startSummary({ origin, setupUrl }: StartSummary): string {
  const addresses = [
    ['REST API', '/api/v1'],
    ['GraphQL', '/graphql'],
    ['Reference', '/docs'],
    ['Guides', '/docs/guides/'],
    ['Dashboard', '/admin'],
  ].map(([name = '', path = '']) => `  ${name.padEnd(12)}${origin}${path}`);
  const setup =
    setupUrl === null
      ? []
      : ['', 'This platform has no owner yet. To become its owner, open this link within 30 minutes:', '', `  ${setupUrl}`];
  return [
    '',
    'The platform is ready. Press Ctrl+C to stop it.',
    '',
    ...addresses,
    ...setup,
    '',
    'Next step: send a request from another terminal.',
    '',
    `  curl "${origin}/api/v1/athletes?limit=1"`,
    '',
  ].join('\n');
}
