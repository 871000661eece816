/** What no number of the file can decide: an option of the command line that says who stands above whom, by what and why. */
const criteria = ['DISCIPLINARY', 'PLAY_OFF', 'DRAW_OF_LOTS'];

export interface Decision {
  readonly group: string;
  /** The highest first. */
  readonly teams: readonly string[];
  readonly criterion: string;
  readonly reason: string;
}

/**
 * Reads `GROUP: A > B: CRITERION: REASON`; a group goes by its letter or its name, and more than two teams may stand in the chain.
 * @throws {Error} that says what is missing.
 */
export function readDecision(text: string): Decision {
  const [group = '', chain = '', criterion = '', ...reason] = text.split(':').map((part) => part.trim());
  const teams = chain.split('>').map((team) => team.trim());
  const known = criterion.toUpperCase().replaceAll(/[\s-]+/g, '_');
  const why = reason.join(': ');
  const fault =
    group === '' || teams.length < 2 || teams.includes('') || new Set(teams).size < teams.length || why === ''
      ? 'such as "H: Japan > Senegal: DISCIPLINARY: Fewer yellow cards"'
      : criteria.includes(known)
        ? null
        : `and its criterion is one of ${criteria.join(', ')}`;
  if (fault !== null) throw new Error(`--decide is "GROUP: A > B: CRITERION: REASON", ${fault}; this is not: ${text}`);
  return { group: /^[A-Z0-9]$/i.test(group) ? `Group ${group.toUpperCase()}` : group, teams, criterion: known, reason: why };
}
