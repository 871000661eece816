/** Units admitted without the quota store, by server, until they are posted. */
import { randomUUID } from 'node:crypto';
import type { Debt, Subject } from './store.ts';

type Open = Omit<Debt, 'id' | 'units'> & { units: number };

export interface DebtLedger {
  add(server: string, debt: Open): void;
  /** Cancels units of a debt that is not being posted yet; false when there are fewer. */
  cancel(server: string, subject: Subject, day: string, units: number): boolean;
  /** Moves the open debts of a server into posting. Returns them with the debts whose earlier posting failed, under the same ids. */
  startPosting(server: string): readonly Debt[];
  /** Replaces the debts in posting by those that are left; units of 0 are dropped. */
  keepPosting(server: string, debts: readonly Debt[]): void;
  /** Forgets a server without debts in posting. */
  finishPosting(server: string): void;
  /** Servers with open debts or debts in posting. */
  servers(): readonly string[];
  /** Units whose posting has not succeeded. */
  unpostedUnits(): number;
}

export function createDebtLedger(): DebtLedger {
  /** By server, then by subject and day. */
  const open = new Map<string, Map<string, Open>>();
  /** By server. Debts keep their ids until the store has confirmed them, so that a repeated posting counts once. */
  const posting = new Map<string, readonly Debt[]>();
  const nameOf = (subject: Subject, day: string): string => `${subject} ${day}`;

  return {
    add(server, debt) {
      let debts = open.get(server);
      if (debts === undefined) open.set(server, (debts = new Map<string, Open>()));
      const name = nameOf(debt.subject, debt.day);
      const waiting = debts.get(name);
      if (waiting === undefined) debts.set(name, debt);
      else waiting.units += debt.units;
    },
    cancel(server, subject, day, units) {
      const debt = open.get(server)?.get(nameOf(subject, day));
      if (debt === undefined || debt.units < units) return false;
      debt.units -= units;
      return true;
    },
    startPosting(server) {
      const fresh = [...(open.get(server)?.values() ?? [])]
        .filter(({ units }) => units > 0)
        .map((debt) => ({ ...debt, id: randomUUID() }));
      open.delete(server);
      const debts = [...(posting.get(server) ?? []), ...fresh];
      posting.set(server, debts);
      return debts;
    },
    keepPosting(server, debts) {
      posting.set(
        server,
        debts.filter(({ units }) => units > 0),
      );
    },
    finishPosting(server) {
      if (posting.get(server)?.length === 0) posting.delete(server);
    },
    servers: () => [...new Set([...open.keys(), ...posting.keys()])],
    unpostedUnits: () => [...posting.values()].flat().reduce((sum, { units }) => sum + units, 0),
  };
}
