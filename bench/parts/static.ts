/** The static route: Fastify sends the bytes of one list, read at the start. No key, quota, headers or log. */
import Fastify from 'fastify';
import { createCursorCodec } from '../../platform/lists/cursor.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { openSecrets } from '../../platform/security/secrets.ts';
import type { OpenPart, PartSettings } from '../part.ts';
import { readAthletes } from './athletes-sql.ts';
import { listen } from './listen.ts';

export async function openStatic({ ownerUrl, secret }: PartSettings): Promise<OpenPart> {
  const database = openDatabase({ url: ownerUrl, name: 'static' });
  const cursors = createCursorCodec(openSecrets(secret).derive('cursor'));
  const body = Buffer.from(JSON.stringify(await readAthletes(database, cursors, null, 20)));
  await database.close();
  const app = Fastify();
  app.get('/api/v1/athletes', (_, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(body));
  return listen(app, []);
}
