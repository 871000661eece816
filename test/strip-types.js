import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/** The jest transform: exactly what Node does with a .ts file. */
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
  getCacheKey: (source, path) => createHash('sha1').update(process.version).update(path).update(source).digest('hex'),
};
