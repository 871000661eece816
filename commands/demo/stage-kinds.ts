/** The kinds of stages of the demo stage race, with their speeds, gaps and points. */

export interface StageKind {
  readonly text: string;
  readonly metresPerSecond: number;
  /** Seconds per hour between the best and the worst rider. */
  readonly lossPerHour: number;
  /** The share of luck in a day's performance. */
  readonly luck: number;
  /** Riders within this many seconds of another get the same time (UCI 2.3.040). */
  readonly bunchSeconds: number;
  /** Points at the finish and on the last climb. */
  readonly points: readonly number[];
  readonly climb: readonly number[];
  /** Category of that climb. */
  readonly category?: 'HC' | '1' | '2' | '3' | '4';
  readonly bonusSeconds: readonly number[];
}

export const stageKinds = {
  FLAT: {
    text: 'flat',
    metresPerSecond: 11.9,
    lossPerHour: 12,
    luck: 0.7,
    bunchSeconds: 3,
    points: [50, 30, 20, 18, 16, 14, 12, 10, 8, 7],
    climb: [],
    bonusSeconds: [10, 6, 4],
  },
  HILLY: {
    text: 'hilly',
    metresPerSecond: 11.1,
    lossPerHour: 25,
    luck: 0.35,
    bunchSeconds: 2,
    points: [30, 25, 22, 19, 17, 15, 13, 11, 9, 7],
    climb: [5, 3, 2, 1],
    category: '2',
    bonusSeconds: [10, 6, 4],
  },
  MOUNTAIN: {
    text: 'mountain',
    metresPerSecond: 9.6,
    lossPerHour: 150,
    luck: 0.16,
    bunchSeconds: 1,
    points: [20, 17, 15, 13, 11, 10, 9, 8, 7, 6],
    climb: [20, 15, 12, 10, 8, 6, 4, 2],
    category: 'HC',
    bonusSeconds: [10, 6, 4],
  },
  TIME_TRIAL: {
    text: 'individual time trial',
    metresPerSecond: 13.2,
    lossPerHour: 190,
    luck: 0.1,
    bunchSeconds: 0,
    points: [20, 17, 15, 13, 11, 10, 9, 8, 7, 6],
    climb: [],
    bonusSeconds: [],
  },
} as const satisfies Record<string, StageKind>;
