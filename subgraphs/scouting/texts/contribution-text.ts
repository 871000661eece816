/** The explanation of a component in plain text. */

/** Such as `9 of at most 18 points: Pass accuracy 82 %.` */
export function contributionText(contribution: number, contributionMax: number, explanation: string): string {
  return `${contribution} of at most ${contributionMax} points: ${explanation}`;
}
