/** Watches the effect of an action that the platform performs later: a screen refetches more often for ten seconds. */
import { useEffect, useState } from 'react';
import { refetchEveryMs } from '../graph/operations.ts';

const watchEveryMs = 1_000;
const watchForMs = 10_000;

interface Watch {
  /** The current interval of the screen's queries. */
  readonly refetchEveryMs: number;
  /** Starts to watch. */
  readonly watch: () => void;
}

/** `idleEveryMs` is the interval while the screen watches nothing. */
export function useWatch(idleEveryMs = refetchEveryMs): Watch {
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    if (since === null) return undefined;
    const timer = setTimeout(() => setSince(null), watchForMs);
    return () => clearTimeout(timer);
  }, [since]);
  return { refetchEveryMs: since === null ? idleEveryMs : watchEveryMs, watch: () => setSince(Date.now()) };
}
