/** Serves the built pages: the dashboard at /admin, the portal at /portal, and the explorers of both graphs. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { pageHeaders } from '../../platform/http/security-headers.ts';
import { pathOf, sendProblem } from '../../platform/http/problem.ts';
import { Problem } from '../../schema/errors.ts';
import { dashboardPolicy, explorerPolicy } from './policy.ts';

const assetsLastMs = 365 * 86_400_000;
const nonceBytes = 16;

/** The marker in the pages before the nonce. */
const nonceMark = 'name="style-nonce" content="';

/** The address of the scripts and styles in a built page, which is relative to the app that serves it. */
const assetsMark = '"./assets/';

const apps = [
  { base: '/admin', file: 'index.html' },
  { base: '/portal', file: 'portal.html' },
] as const;

/** The page served without a build: the platform itself runs without one. */
const unbuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Talent Platform</title></head>
<body><h1>The dashboard is not built yet</h1>
<p>A new installation builds the dashboard during startup, which takes a few seconds. This page reloads automatically. To build it
yourself, run this command in the project folder with the development dependencies installed:</p>
<pre>npm run dashboard</pre>
<p>The REST API, the GraphQL API and the commands (npm run keys) work without the dashboard.</p></body></html>
`;

export interface Pages {
  /** Adds the dashboard, the portal, and the explorer of the admin graph: every other GET below /admin and /portal. */
  readonly add: (app: FastifyInstance) => Promise<void>;
  /** For the path of the public graph: a browser gets the explorer, before admission. */
  readonly explore: onRequestHookHandler;
}

/** Serves the pages in `folder`; a later build is picked up at the next request. */
export function createPages(folder: string): Pages {
  const page = createPageReader(folder);
  const explorer = (reply: FastifyReply): FastifyReply => sendPage(reply, page('explorer.html', '/admin'), explorerPolicy);
  return {
    async add(app) {
      for (const { base } of apps) await app.register(assetsBelow(base, folder));
      for (const { base, file } of apps) {
        const sendApp = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => {
          const nonce = randomBytes(nonceBytes).toString('base64');
          const html = page(file, base)?.replace(nonceMark, `${nonceMark}${nonce}`) ?? null;
          return sendPage(reply, html, dashboardPolicy(nonce));
        };
        app.get(base, sendApp);
        app.get(`${base}/*`, sendApp);
      }
      app.get('/admin/explorer', (_request, reply) => explorer(reply));
    },
    explore(request, reply, done) {
      if (isBrowserNavigation(request)) explorer(reply);
      else done();
    },
  };
}

/** The scripts and styles, which are the same below each app. */
function assetsBelow(base: string, folder: string): FastifyPluginAsync {
  return async (scope) => {
    scope.setErrorHandler((_error, _request, reply) => sendProblem(reply, new Problem('not_found', 'This file does not exist.')));
    await scope.register(files, {
      root: join(folder, 'assets'),
      prefix: `${base}/assets/`,
      decorateReply: false,
      preCompressed: true,
      immutable: true,
      maxAge: assetsLastMs,
      // the platform also starts without a build, and then serves the page above
      suppressWarning: true,
    });
  };
}

/** Whether a browser navigates to the page: API clients do not prefer HTML, and a URL with a query belongs to the graph. */
function isBrowserNavigation({ method, url, headers: { accept = '' } }: FastifyRequest): boolean {
  return method === 'GET' && accept.startsWith('text/html') && pathOf(url) === '/graphql' && !/[?&](query|extensions)=/.test(url);
}

function sendPage(reply: FastifyReply, html: string | null, policy: string): FastifyReply {
  return reply
    .code(html === null ? 503 : 200)
    .headers({
      ...pageHeaders,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
    })
    .send(html ?? unbuilt);
}

/** The text of a page of an app, read again after a new build; null without one. */
function createPageReader(folder: string): (name: string, base: string) => string | null {
  const pages = new Map<string, { readonly text: string; readonly changedMs: number }>();
  return (name, base) => {
    const file = join(folder, name);
    const changedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changedMs === undefined) return null;
    const known = pages.get(name);
    if (known?.changedMs === changedMs) return known.text;
    const text = readFileSync(file, 'utf8').replaceAll(assetsMark, `"${base}/assets/`);
    pages.set(name, { text, changedMs });
    return text;
  };
}
