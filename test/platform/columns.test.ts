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
import { insertInto, updateRow } from '../../platform/database/table.ts';
import { changeRow, insertResource, patchResource, type Resource, type ResourceRow } from '../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../platform/writes/write.ts';

interface PersonRow extends ResourceRow {
  readonly name: string;
}

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

test('a statement rejects members that are not columns, instead of dropping them', () => {
  const renamed: object = { name: 'Ada', homeTown: 'Lyon' };
  expect(() => insertInto(people, renamed)).toThrow('`homeTown` is not a writable column of the table "person".');
  expect(() => updateRow(people, { id: '1', version: 1 }, renamed)).toThrow('`homeTown` is not a writable column');
});

test('a statement rejects a column that an expression computes', () => {
  expect(() => insertInto(people, { name: 'Ada', public: true })).toThrow('`public` is not a writable column');
});

test('an update rejects the columns that the statement sets', () => {
  expect(() => updateRow(people, { id: '1', version: 1 }, { id: '2' })).toThrow('The statement sets `id`');
});

test('the members of resource values that are not columns do not compile', () => {
  const write = async (...[transaction, resource, row]: [WriteTransaction, Resource<PersonRow>, PersonRow]) => {
    await insertResource(transaction, resource, { accountId: '1', name: 'Ada' }, null);
    // @ts-expect-error `fullName` is not a column
    await insertResource(transaction, resource, { accountId: '1', fullName: 'Ada' }, null);
    await patchResource(transaction, resource, row, { name: null }, null);
    // @ts-expect-error `fullName` is not a column
    await patchResource(transaction, resource, row, { fullName: 'Ada' }, null);
    // @ts-expect-error `fullName` is not a column
    await changeRow(transaction, resource, row, { name: 'Ada', fullName: 'Ada' }, { action: 'updated', event: null });
  };
  expect(write).toBeInstanceOf(Function);
});
