/** A concurrency limit that follows the response times of an area: the Gradient2 algorithm of Netflix concurrency-limits. */

export interface AdaptiveLimit {
  /** The number of calls that may be in progress. */
  current(): number;
  /** Records a completed call and the calls in progress when it completed. */
  record(durationMs: number, inProgress: number): void;
}

const initialLimit = 100;
/** One slow kind of query must not starve the others. */
const minLimit = 16;
const maxLimit = 1_000;
/** Calls above the measured concurrency that the limit leaves room for, so that it can grow. */
const room = 4;
const windowMs = 1_000;
const samplesMin = 10;
/** The share of a new estimate in the limit. */
const smoothing = 0.2;
/** Response times may grow by half before the limit shrinks. */
const tolerance = 1.5;
/** The long average covers 600 windows; the first ten are weighted equally. */
const longWindows = 600;
const warmUpWindows = 10;

/** An exponential average that starts as an arithmetic one. */
function createAverage(): { value(): number; add(sample: number): void; scale(factor: number): void } {
  let [count, sum, value] = [0, 0, 0];
  return {
    value: () => value,
    add(sample) {
      if (count < warmUpWindows) {
        count += 1;
        sum += sample;
        value = sum / count;
      } else value += (sample - value) * (2 / (longWindows + 1));
    },
    scale(factor) {
      value *= factor;
    },
  };
}

/**
 * Per window of one second, the mean response time is compared with its long average: the limit shrinks in proportion while calls
 * take longer than usual, and grows while they do not and at least half of it is used.
 * Source: https://github.com/Netflix/concurrency-limits, Gradient2Limit.
 */
export function createAdaptiveLimit(clock: () => number): AdaptiveLimit {
  const long = createAverage();
  let limit = initialLimit;
  let [samples, totalMs, peak] = [0, 0, 0];
  let windowEndsMs = clock() + windowMs;

  function update(): void {
    const short = totalMs / samples;
    long.add(short);
    // recovers quickly from a long period of overload
    if (long.value() > 2 * short) long.scale(0.95);
    if (peak >= limit / 2) {
      const gradient = Math.max(0.5, Math.min(1, (tolerance * long.value()) / short));
      const next = limit * (1 - smoothing) + (limit * gradient + room) * smoothing;
      limit = Math.max(minLimit, Math.min(maxLimit, next));
    }
    [samples, totalMs, peak] = [0, 0, 0];
    windowEndsMs = clock() + windowMs;
  }

  return {
    current: () => Math.floor(limit),
    record(durationMs, inProgress) {
      samples += 1;
      totalMs += durationMs;
      if (inProgress > peak) peak = inProgress;
      if (samples >= samplesMin && clock() >= windowEndsMs) update();
    },
  };
}
