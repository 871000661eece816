/** The names of rounds that files of leagues use, in several languages: `Matchday 12`, `12. Spieltag`, `Journée 12`, `12`, `2018-08-11`. */
const word = '(?:match ?day|round|spieltag|week|game ?week|journée|giornata|jornada|rodada|fecha|speelronde)';
const wordFirst = new RegExp(`^${word} (\\d{1,3})$`, 'i');
const numberFirst = new RegExp(`^(\\d{1,3})(?:\\.|ª|º|a|e|è|ème)? ?${word}$`, 'i');
const numberOnly = /^(\d{1,3})\.?$/;

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const dayPatterns = [
  /^\d{4}-\d{2}-\d{2}$/,
  /^\d{1,2}([./])\d{1,2}\1(?:\d{2}|\d{4})?$/,
  new RegExp(`^(?:[a-z]{3,9},? )?(?:${month} \\d{1,2}|\\d{1,2}\\.? ${month})(?:,? \\d{4})?$`, 'i'),
];

/** A round within a season that has phases: `Championship, Matchday 34`. */
const phasePattern = /^(.+?)(?:,| [-–])\s+(.+)$/;
const regularPhase = /^regular (?:season|stage|phase)$/i;

const numberOf = (match: RegExpExecArray | null): number | null => (match?.[1] === undefined ? null : Number(match[1]) || null);

/** The number of a round with a word: `Matchday 12` is 12, `Round of 16` and `12` are null. */
const numberOfWord = (round: string): number | null => {
  const text = round.normalize('NFC');
  return numberOf(wordFirst.exec(text)) ?? numberOf(numberFirst.exec(text));
};

/** The number of `Matchday 12`, `12. Spieltag` or `12`; null for a round with another name. */
export const matchdayOf = (round: string): number | null => numberOfWord(round) ?? numberOf(numberOnly.exec(round));

function partsOf(round: string): { readonly phase: string; readonly rest: string } | null {
  const [, phase = '', rest = ''] = phasePattern.exec(round) ?? [];
  return numberOfWord(rest) === null ? null : { phase: phase.trim(), rest };
}

/** The phase of a round: `Championship` of `Championship, Matchday 34`; null for a regular round. */
export function phaseOfRound(round: string): string | null {
  const { phase = '' } = partsOf(round) ?? {};
  return phase === '' || regularPhase.test(phase) ? null : phase;
}

/** `Matchday 34` of `Championship, Matchday 34`. */
export const roundInPhase = (round: string): string => partsOf(round)?.rest ?? round;

/** True for a round of the regular season: with a number, with a day as its name, or without a name. */
export const isRegularRound = (round: string): boolean =>
  phaseOfRound(round) === null &&
  (round === '' || matchdayOf(roundInPhase(round)) !== null || dayPatterns.some((pattern) => pattern.test(round)));
