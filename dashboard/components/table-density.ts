/** The density of all tables, stored in the browser. */
import { useLocalStorage } from '@mantine/hooks';

export type TableDensity = 'COMFORTABLE' | 'COMPACT';

export function useTableDensity(): readonly [TableDensity, (density: TableDensity) => void] {
  const [density, setDensity] = useLocalStorage<TableDensity>({
    key: 'table-density',
    defaultValue: 'COMFORTABLE',
    getInitialValueInEffect: false,
    // the stored text can be anything
    deserialize: (text) => (text === '"COMPACT"' ? 'COMPACT' : 'COMFORTABLE'),
  });
  return [density, setDensity];
}
