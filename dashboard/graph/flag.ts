/** A state of the page, outside of React, that components can subscribe to. */
import { useSyncExternalStore } from 'react';

export interface PageState<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** The current value; the component renders again when it changes. */
  readonly use: () => Value;
}

export type Flag = PageState<boolean>;

/** Creates a state with its first value. */
export function createPageState<Value>(first: Value): PageState<Value> {
  let current = first;
  const listeners = new Set<() => void>();
  const get = (): Value => current;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(value) {
      if (value === current) return;
      current = value;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}

/** Creates a flag that is false. */
export const createFlag = (): Flag => createPageState(false);
