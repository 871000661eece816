/** Default values of members that null resets. */

/** Replaces null by the default value. Absent members stay absent. */
export function orDefault<Value>(value: Value | null | undefined, fallback: Value): Value | undefined {
  return value === null ? fallback : value;
}
