/** A boolean state of the page, outside of React, that components can subscribe to. */
import { useSyncExternalStore } from 'react';

export interface Flag {
  readonly get: () => boolean;
  readonly set: (value: boolean) => void;
  /** The current value; the component renders again when it changes. */
  readonly use: () => boolean;
}

/** Creates a flag that is false. */
export function createFlag(): Flag {
  let current = false;
  const listeners = new Set<() => void>();
  const get = (): boolean => current;
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
