/** Checks every score in a response: the contributions of its components add up to it. */
type Json = null | string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function contributionsIn(parts: Json | undefined): number[] {
  if (!Array.isArray(parts)) return [];
  return (parts as readonly Json[]).flatMap((part) =>
    isObject(part) && typeof part['contribution'] === 'number' ? [part['contribution']] : [],
  );
}

/**
 * Throws Error for a score that differs from the sum of its contributions. Scores without contributions are skipped.
 */
export function expectContributionSums(response: Json): void {
  if (Array.isArray(response)) return (response as readonly Json[]).forEach(expectContributionSums);
  if (!isObject(response)) return;
  const score = response['talentScore'] ?? response['score'];
  const contributions = contributionsIn(response['components'] ?? response['reasons']);
  const sum = contributions.reduce((total, each) => total + each, 0);
  if (typeof score === 'number' && contributions.length > 0 && sum !== score)
    throw new Error(`A score of ${score} has contributions that sum to ${sum}: ${JSON.stringify(response)}`);
  Object.values(response).forEach(expectContributionSums);
}
