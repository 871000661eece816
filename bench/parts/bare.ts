/** The bare route: the smallest possible Fastify, pg and JSON; no key, quota, headers or log. */
import Fastify from 'fastify';
import { createCursorCodec } from '../../platform/lists/cursor.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { openSecrets } from '../../platform/security/secrets.ts';
import type { OpenPart, PartSettings } from '../part.ts';
import { readAthletes } from './athletes-sql.ts';
import { listen } from './listen.ts';

export function openBare({ ownerUrl, secret }: PartSettings): Promise<OpenPart> {
  const database = openDatabase({ url: ownerUrl, name: 'bare' });
  const cursors = createCursorCodec(openSecrets(secret).derive('cursor'));
  const app = Fastify();
  app.get<{ Querystring: { limit: string } }>('/api/v1/athletes', ({ query }) =>
    readAthletes(database, cursors, null, Number(query.limit)),
  );
  return listen(app, [database]);
}
