/** The progress bar of one collection; prints nothing without a terminal. */
import { SingleBar } from 'cli-progress';

export interface Progress {
  readonly advance: (rows: number) => void;
  /** Shows the reason for a wait next to the bar; the next advance clears it. */
  readonly note: (text: string) => void;
  readonly close: () => void;
}

/** Starts a bar over `total` rows. */
export function openProgress(title: string, total: number): Progress {
  const bar = new SingleBar({
    format: `${title.padEnd(14)} {bar} {value}/{total} {note}`,
    hideCursor: true,
    clearOnComplete: false,
  });
  bar.start(total, 0, { note: '' });
  return {
    advance: (rows) => bar.increment(rows, { note: '' }),
    note: (text) => bar.update({ note: text }),
    close: () => bar.stop(),
  };
}
