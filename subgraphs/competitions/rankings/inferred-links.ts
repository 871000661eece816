/** Links the matches of a bracket whose sides name participants instead of source matches. */
import type { BracketMatch, MatchSlot } from './bracket-links.ts';
import { readBracket, type BracketTie } from './bracket.ts';
import type { TieRules } from './tie.ts';

type Source = NonNullable<MatchSlot['placeholder']>;

const isPair = ({ slots: [one, other] }: BracketMatch): boolean => !!one.participantId && !!other.participantId;

/** Without the rules of its stage if it belongs to no tie. */
export const decidedAlone = (match: BracketMatch): BracketMatch => (match.tieId ? match : { ...match, stageId: null });

/** The two participants, the stage and the round of a match. */
const pairKey = ({ roundKey, slots }: BracketMatch): string =>
  JSON.stringify([roundKey, ...slots.map(({ participantId }) => participantId ?? '').toSorted()]);

/**
 * Combines matches of the same two participants in one round into a tie, in the order of play. Legs and series belong to ties: a match that
 * remains alone is decided alone, whatever its stage says.
 */
export function withInferredTies(matches: readonly BracketMatch[]): BracketMatch[] {
  const single = matches.filter((match) => !match.tieId && match.roundKey && isPair(match));
  const repeated = [...Map.groupBy(single, pairKey).values()].filter((own) => own.length > 1);
  const ties = new Map(
    repeated.flatMap((own) => own.map(({ matchId }, index) => [matchId, { tieId: own[0]?.matchId ?? matchId, leg: index + 1 }])),
  );
  return matches.map((match) => decidedAlone({ ...match, ...ties.get(match.matchId) }));
}

/** The source of each participant of a tie: the last decided tie that it played before. */
function sourcesOf(tie: BracketTie, earlier: readonly BracketTie[], used: Set<string>): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const { participantId, source } of tie.slots) {
    if (participantId === null || source) continue;
    const from = earlier.findLast(
      ({ tieId, advancedId, eliminatedId }) =>
        tieId !== tie.tieId && (advancedId === participantId || eliminatedId === participantId),
    );
    const [sourceMatchId] = from?.matchIds ?? [];
    if (!from || !sourceMatchId) continue;
    const outcome = from.advancedId === participantId ? 'WINNER' : 'LOSER';
    const key = `${outcome} ${from.tieId}`;
    if (used.has(key)) continue;
    used.add(key);
    sources.set(participantId, { sourceMatchId, outcome });
  }
  return sources;
}

/**
 * Adds a source to each side that names a participant: the winner or loser of the last tie that the participant played before. `matches` are in
 * the order of play. Given sources take precedence. Unreadable matches stay unchanged.
 */
export function withInferredSources(
  matches: readonly BracketMatch[],
  rulesOf: (stageId: string | null) => TieRules,
): readonly BracketMatch[] {
  const { value } = readBracket(matches, rulesOf);
  if (!value) return matches;
  const played = new Map(matches.map(({ matchId }, index) => [matchId, index]));
  const start = ({ matchIds }: BracketTie): number => Math.min(...matchIds.map((id) => played.get(id) ?? 0));
  const end = ({ matchIds }: BracketTie): number => Math.max(...matchIds.map((id) => played.get(id) ?? 0));
  const ties = value.rounds.flatMap((round) => round.ties).toSorted((one, other) => start(one) - start(other));
  const used = new Set(
    ties.flatMap(({ slots }) => slots.flatMap(({ source }) => (source ? [`${source.outcome} ${source.tieId}`] : []))),
  );
  const sources = new Map<string, Map<string, Source>>();
  for (const tie of ties) {
    const found = sourcesOf(
      tie,
      ties.filter((each) => end(each) < start(tie)),
      used,
    );
    for (const matchId of tie.matchIds) sources.set(matchId, found);
  }
  const linked = (slot: MatchSlot, matchId: string): MatchSlot =>
    slot.placeholder ? slot : { ...slot, placeholder: sources.get(matchId)?.get(slot.participantId ?? '') ?? null };
  return matches.map((match): BracketMatch => {
    const [one, other] = match.slots;
    return { ...match, slots: [linked(one, match.matchId), linked(other, match.matchId)] };
  });
}
