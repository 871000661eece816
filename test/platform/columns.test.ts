/** Tables declared from typed columns. */
import { expect, test } from '@jest/globals';
import {
  column,
  computedColumn,
  defineTable,
  erasable,
  erasedValues,
  jsonColumn,
  rowValues,
  type RowOf,
} from '../../platform/database/columns.ts';
import { sql } from '../../platform/database/database.ts';
import { insertInto } from '../../platform/database/table.ts';

const personal = {
  name: erasable(column<string>(), 'Erased'),
  home: erasable(jsonColumn<{ city: string; region: string | null } | null>(), null),
};
const columns = { id: column<string>(), ...personal, public: computedColumn<boolean>(sql`status = 'ACTIVE'`) };
const people = defineTable('person', columns);

test('the column list, the row type and the erased values have one source', () => {
  const row: RowOf<typeof columns> = { id: '1', name: 'Ada', home: { city: 'Lyon', region: null }, public: true };
  expect(Object.keys(people.fields)).toEqual(Object.keys(row));
  expect(people.columns.sql).toBe(
    `person.id as "id", person.name as "name", person.home as "home", (status = 'ACTIVE') as "public"`,
  );
  expect(erasedValues(personal)).toEqual({ name: 'Erased', home: null });
});

test('an input whose members are columns becomes row values', () => {
  const values = rowValues(people, { name: 'Ada', home: { city: 'Lyon' } });
  expect(insertInto(people, values).values).toEqual(['Ada', '{"city":"Lyon"}']);
});

test('an input with an unknown member, or a member of another type, does not compile', () => {
  // @ts-expect-error `fullName` is not a column
  expect(rowValues(people, { fullName: 'Ada' })).toEqual({ fullName: 'Ada' });
  // @ts-expect-error `name` is a text
  expect(rowValues(people, { name: 1 })).toEqual({ name: 1 });
});
