/** The pages for people: the dashboard at /admin, and the explorer of both graphs. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { pathOf, sendProblem } from '../../platform/http/problem.ts';
import { Problem } from '../../schema/errors.ts';
import { dashboardPolicy, explorerPolicy } from './policy.ts';

const assetsLastMs = 365 * 86_400_000;
const nonceBytes = 16;

/** Where index.html takes the nonce. */
const nonceMark = 'name="style-nonce" content="';

/** What is said where there is no build: the platform itself needs none. */
const unbuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Talent Platform</title></head>
<body><h1>The dashboard is not built yet</h1>
<p>A platform that was just started builds it by itself, which takes some seconds: this page looks again. Otherwise build it in the
project's folder, with the packages for development installed:</p>
<pre>npm run dashboard</pre>
<p>REST, GraphQL and the commands (npm run keys) work without it.</p></body></html>
`;

export interface Pages {
  /** Adds the dashboard and the explorer of the admin graph: every GET below /admin that nothing else answers. */
  readonly add: (app: FastifyInstance) => Promise<void>;
  /** For the public graph's path: who opens it in a browser gets the explorer, before any admission. */
  readonly explore: onRequestHookHandler;
}

/** Pages as they were built into `folder`; a build made later is found when its first page is asked for. */
export function createPages(folder: string): Pages {
  const page = createReader(folder);
  const explorer = (reply: FastifyReply): FastifyReply => sendPage(reply, page('explorer.html'), explorerPolicy);
  return {
    async add(app) {
      await app.register(async (scope) => {
        scope.setErrorHandler((_error, _request, reply) =>
          sendProblem(reply, new Problem('not_found', 'There is no such file.')),
        );
        await scope.register(files, {
          root: join(folder, 'assets'),
          prefix: '/admin/assets/',
          decorateReply: false,
          preCompressed: true,
          immutable: true,
          maxAge: assetsLastMs,
          // a platform without a build starts as well, and says so where a page is asked for
          suppressWarning: true,
        });
      });
      const dashboard = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => {
        const nonce = randomBytes(nonceBytes).toString('base64');
        const html = page('index.html')?.replace(nonceMark, `${nonceMark}${nonce}`) ?? null;
        return sendPage(reply, html, dashboardPolicy(nonce));
      };
      app.get('/admin', dashboard);
      app.get('/admin/*', dashboard);
      app.get('/admin/explorer', (_request, reply) => explorer(reply));
    },
    explore(request, reply, done) {
      if (isVisit(request)) explorer(reply);
      else done();
    },
  };
}

/** The browser's own navigation: programs never ask for HTML first, and a query in the URL is for the graph. */
function isVisit({ method, url, headers: { accept = '' } }: FastifyRequest): boolean {
  return method === 'GET' && accept.startsWith('text/html') && pathOf(url) === '/graphql' && !/[?&](query|extensions)=/.test(url);
}

function sendPage(reply: FastifyReply, html: string | null, policy: string): FastifyReply {
  return reply
    .code(html === null ? 503 : 200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
    })
    .send(html ?? unbuilt);
}

/** The text of a page, read again when another build took its place; null while there is none. */
function createReader(folder: string): (name: string) => string | null {
  const read = new Map<string, { readonly text: string; readonly changedMs: number }>();
  return (name) => {
    const file = join(folder, name);
    const changedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changedMs === undefined) return null;
    const known = read.get(name);
    if (known?.changedMs === changedMs) return known.text;
    const text = readFileSync(file, 'utf8');
    read.set(name, { text, changedMs });
    return text;
  };
}
