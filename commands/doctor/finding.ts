/** What a check of a deployment found. */
import { errorCode } from '../../platform/error-code.ts';

export interface Finding {
  readonly check: string;
  readonly status: 'OK' | 'WARNING' | 'FAILED' | 'SKIPPED';
  /** What was found, with its value. */
  readonly detail: string;
  /** What to do; absent if nothing. */
  readonly fix?: string | undefined;
}

/** A check: its findings. An exception is a failure with its message. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<readonly Finding[]>;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'OK', detail });
export const skipped = (check: string, detail: string): Finding => ({ check, status: 'SKIPPED', detail });
export const warning = (check: string, detail: string, fix: string): Finding => ({ check, status: 'WARNING', detail, fix });
export const failed = (check: string, detail: string, fix: string): Finding => ({ check, status: 'FAILED', detail, fix });

/** Limits of a measured value: above the first it is a warning, above the second a failure. */
export function rated(
  check: string,
  { value, detail, fix }: { readonly value: number; readonly detail: string; readonly fix: string },
  [warnAbove, failAbove]: readonly [number, number],
): Finding {
  if (value > failAbove) return failed(check, detail, fix);
  return value > warnAbove ? warning(check, detail, fix) : ok(check, detail);
}

/** The message of an error without passwords. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return (message || (errorCode(error) ?? String(error))).replace(/:\/\/([^\s:@/]*):[^\s@/]*@/g, '://$1:…@');
}

/** The checks at the same time. */
export async function runChecks(checks: readonly Check[]): Promise<Finding[]> {
  const run = async ({ name, run: check }: Check): Promise<readonly Finding[]> => {
    try {
      return await check();
    } catch (error) {
      return [failed(name, messageOf(error), 'Repair the cause and run the command again.')];
    }
  };
  return (await Promise.all(checks.map(run))).flat();
}
