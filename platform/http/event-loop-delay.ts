/** The event loop delay of this process: how long a request waits before the process can handle it. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Interval of the timer that Node.js measures with: each measurement wakes up the process. */
const resolutionMs = 50;
/** Interval at which the delay is sampled. */
const sampleIntervalMs = 1_000;
/** Samples that are ignored after a server of the process has started: they include the startup. */
const ignoredSamples = 2;

interface Sampler {
  /**
   * Mean of a sample in milliseconds, the lower one of the last two: a single pause, of the process or of its host, is not overload. 0 during
   * startup, Infinity while the loop was blocked throughout.
   */
  readonly delayMs: () => number;
  readonly ignoreStartup: () => void;
  /** Runs work that may block the loop for a moment on purpose; its delay is ignored. */
  readonly ignoreDuring: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

function createSampler(): Sampler {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let previous = 0;
  let last = 0;
  /** Samples until the delay counts: all until a server has started. */
  let ignored = Infinity;
  let ignoring = 0;
  const ignoreStartup = (): void => {
    ignored = ignoredSamples;
  };
  const sample = (): void => {
    const meanMs = histogram.mean / 1e6;
    previous = last;
    last = Number.isNaN(meanMs) ? Infinity : Math.max(0, meanMs - resolutionMs);
    ignored = Math.max(0, ignored - 1);
    histogram.reset();
  };
  setInterval(sample, sampleIntervalMs).unref();
  return {
    delayMs: () => (ignoring > 0 || ignored > 0 ? 0 : Math.min(previous, last)),
    ignoreStartup,
    async ignoreDuring(work) {
      ignoring += 1;
      try {
        return await work();
      } finally {
        ignoring -= 1;
        ignoreStartup();
      }
    },
  };
}

let sampler: Sampler | null = null;

/** The sampler of the process, which all its servers share. It starts with the first call. */
export function eventLoopDelay(): Sampler {
  return (sampler ??= createSampler());
}
