/** The release of the platform: the version in package.json. */
import { readFileSync } from 'node:fs';
import { isRecord } from '../schema/records.ts';

const content: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export const release: string = isRecord(content) ? String(content['version']) : '';
