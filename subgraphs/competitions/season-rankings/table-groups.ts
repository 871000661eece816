/** The participants of each table of a stage. */
import { ascending } from '../rankings/placing.ts';
import { kindOf } from './effective-rules.ts';
import type { MatchFact, ParticipantFact, RankingFacts, StageFact } from './facts.ts';

/** The participants that are entered in the first table of their contest; none in later stages. */
function enteredIn(facts: RankingFacts, stage: StageFact): readonly ParticipantFact[] {
  const [first] = facts.stages
    .filter((each) => each.contestId === stage.contestId && kindOf(facts, each) === 'TABLE')
    .toSorted((one, other) => one.ordinal - other.ordinal || ascending(one.id, other.id));
  if (first?.id !== stage.id) return [];
  const entered = facts.participants.filter(({ contestId }) => (contestId ?? stage.contestId) === stage.contestId);
  const teams = entered.filter(({ type }) => type === 'TEAM');
  // Where teams play, persons are entered for the parts of their matches.
  return teams.length > 0 ? teams : entered;
}

/**
 * The participants of each table. A participant belongs to the group in which it is entered, whatever the groups of its matches: conferences
 * play each other. One that is entered in none belongs to the groups of its matches. Without groups, all are in one table (null).
 */
export function participantsByGroup(
  facts: RankingFacts,
  stage: StageFact,
  matches: readonly MatchFact[],
): ReadonlyMap<string | null, readonly string[]> {
  const named = new Set([...stage.groups, ...matches.flatMap(({ groupName }) => groupName ?? []).toSorted()]);
  const tables = new Map<string | null, Set<string>>([...named].map((name) => [name, new Set()]));
  const add = (name: string | null, id: string): unknown => tables.get(name)?.add(id) ?? tables.set(name, new Set([id]));
  const entered = enteredIn(facts, stage);
  const groupOf = new Map(
    entered.flatMap(({ id, groupName }) => (groupName !== null && named.has(groupName) ? [[id, groupName]] : [])),
  );
  for (const [id, groupName] of groupOf) add(groupName, id);
  const playing = matches.flatMap(({ groupName, entries }) =>
    entries.flatMap(({ participantId }) =>
      participantId === null || groupOf.has(participantId) ? [] : { participantId, groupName },
    ),
  );
  for (const { participantId, groupName } of playing) if (groupName !== null) add(groupName, participantId);
  const placed = new Set([...tables.values()].flatMap((ids) => [...ids]));
  const others = [...entered.map(({ id }) => id), ...playing.map(({ participantId }) => participantId)];
  for (const id of others) if (!placed.has(id)) add(null, id);
  if (tables.size === 0) tables.set(null, new Set());
  return new Map([...tables].map(([name, ids]) => [name, [...ids].toSorted()]));
}
