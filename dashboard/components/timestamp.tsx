/** A timestamp in UTC, with the local time as a tooltip. */
import { Tooltip } from '@mantine/core';

const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** `2026-11-22 05:20 UTC`, or `2026-11-22 05:20:07 UTC` with seconds. */
export function formatUtc(at: string, seconds = false): string {
  const text = new Date(at).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, seconds ? 19 : 16)} UTC`;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 minutes ago`, `in 2 days`. */
export function formatRelative(at: string, now = Date.now()): string {
  const difference = Date.parse(at) - now;
  const unit = units.find(([, lengthMs]) => Math.abs(difference) >= lengthMs);
  return unit === undefined ? 'just now' : relative.format(Math.round(difference / unit[1]), unit[0]);
}

interface TimestampProps {
  readonly at: string | null | undefined;
  readonly seconds?: boolean;
  /** Displayed when `at` is null. */
  readonly fallback?: string;
}

export function Timestamp({ at, seconds = false, fallback = '–' }: TimestampProps) {
  if (at === null || at === undefined) return <span>{fallback}</span>;
  return (
    // not focusable: a list has hundreds of timestamps, and screen readers read the UTC time
    <Tooltip label={`${local.format(new Date(at))} (local time)`} events={{ hover: true, focus: false, touch: true }}>
      <time className="timestamp" dateTime={at}>
        {formatUtc(at, seconds)}
      </time>
    </Tooltip>
  );
}
