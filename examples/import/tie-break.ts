/** The `--decide` option: an organizer's decision about teams that the published criteria leave level. */
const criteria = ['DISCIPLINARY', 'PLAY_OFF', 'DRAW_OF_LOTS'];

export interface Decision {
  readonly group: string;
  /** Highest first. */
  readonly teams: readonly string[];
  readonly criterion: string;
  readonly reason: string;
}

/**
 * Reads `GROUP: A > B: CRITERION: REASON`. The group is a letter or a name, and the chain may have more than two teams.
 * @throws {Error} with the part that is missing.
 */
export function readDecision(text: string): Decision {
  const [group = '', chain = '', criterion = '', ...reason] = text.split(':').map((part) => part.trim());
  const teams = chain.split('>').map((team) => team.trim());
  const known = criterion.toUpperCase().replaceAll(/[\s-]+/g, '_');
  const why = reason.join(': ');
  const error =
    group === '' || teams.length < 2 || teams.includes('') || new Set(teams).size < teams.length || why === ''
      ? 'for example "H: Japan > Senegal: DISCIPLINARY: Fewer yellow cards"'
      : criteria.includes(known)
        ? null
        : `the criterion must be one of ${criteria.join(', ')}`;
  if (error !== null) throw new Error(`--decide must be "GROUP: A > B: CRITERION: REASON"; ${error}; not: ${text}`);
  return { group: /^[A-Z0-9]$/i.test(group) ? `Group ${group.toUpperCase()}` : group, teams, criterion: known, reason: why };
}
