/** Migration files of an area: numbered SQL files of its folders, in order. */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface MigrationFile {
  /** `<folder>/<NNNN-name>.sql`, such as `platform/0001-write.sql`: the same on every machine. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** SHA-256 of the text with LF line endings, so that a checkout on Windows has the same checksum. */
  readonly checksum: string;
}

/** The forms that an interrupted run may repeat. */
const onlineForm =
  /^(?:create (?:unique )?index concurrently if not exists (\w+) |drop index concurrently if exists |alter table \S+ validate constraint )/i;

/**
 * The statements of a file whose first line is `-- online`, which run outside of a transaction; null for other files. `index` is the name of
 * the index that a statement creates.
 * @throws Error for a statement that cannot be repeated or that blocks the platform
 */
export function onlineStatements({
  path,
  text,
}: MigrationFile): { readonly text: string; readonly index: string | null }[] | null {
  if (!/^-- online *(\n|$)/.test(text)) return null;
  const statements = text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  return statements.map((statement) => {
    const form = onlineForm.exec(statement.replaceAll(/\s+/g, ' '));
    if (form === null)
      throw new Error(
        `${path}: a file with "-- online" contains only CREATE INDEX CONCURRENTLY IF NOT EXISTS, DROP INDEX CONCURRENTLY IF EXISTS and ALTER TABLE … VALIDATE CONSTRAINT. Move other statements to another file: ${statement}`,
      );
    return { text: statement, index: form[1] ?? null };
  });
}

const pattern = /^(\d{4})-[a-z0-9-]+\.sql$/;

/**
 * Reads the folders one after the other, each in numeric order.
 * @throws Error when a file is not named NNNN-name.sql, or two files share a number
 */
export async function readMigrations(directories: readonly string[]): Promise<MigrationFile[]> {
  const files: MigrationFile[] = [];
  for (const directory of directories) {
    const byNumber = new Map<string, string>();
    for (const file of (await readdir(directory)).filter((entry) => entry.endsWith('.sql')).sort()) {
      const path = join(directory, file);
      const number = pattern.exec(file)?.[1];
      if (number === undefined) throw new Error(`${path}: name migrations NNNN-name.sql, such as 0007-add-teams.sql.`);
      const other = byNumber.get(number);
      if (other !== undefined) throw new Error(`${path} has the same number as ${other}. Give it the next free number.`);
      byNumber.set(number, file);
      const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(text).digest('hex');
      files.push({ name: `${basename(dirname(directory))}/${file}`, path, text, checksum });
    }
  }
  return files;
}
