/** Ids of recommendations: for whom, and who or what. Nothing is stored of one until somebody says what he thinks of it. */

export type RecipientType = 'ATHLETE' | 'OPPORTUNITY' | 'ORGANIZATION';

export interface RecommendationKey {
  readonly recipientType: RecipientType;
  readonly recipientId: string;
  /** An opportunity for an athlete, otherwise an athlete. */
  readonly subjectId: string;
}

const recipientTypes: readonly RecipientType[] = ['ATHLETE', 'OPPORTUNITY', 'ORGANIZATION'];

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

function idIn(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** 44 characters of base64url: a byte for the kind of recipient, then both ids. */
export function encodeRecommendationId({ recipientType, recipientId, subjectId }: RecommendationKey): string {
  const kind = Buffer.of(recipientTypes.indexOf(recipientType));
  return Buffer.concat([kind, bytesOf(recipientId), bytesOf(subjectId)]).toString('base64url');
}

/** What an id stands for; null for a text that is none. */
export function decodeRecommendationId(id: string): RecommendationKey | null {
  const bytes = Buffer.from(id, 'base64url');
  const recipientType = recipientTypes[bytes[0] ?? recipientTypes.length];
  if (bytes.length !== 33 || recipientType === undefined || bytes.toString('base64url') !== id) return null;
  return { recipientType, recipientId: idIn(bytes.subarray(1, 17)), subjectId: idIn(bytes.subarray(17)) };
}

/** What is recommended to a kind of recipient. */
export const subjectTypeOf = (recipientType: RecipientType) => (recipientType === 'ATHLETE' ? 'OPPORTUNITY' : 'ATHLETE');
