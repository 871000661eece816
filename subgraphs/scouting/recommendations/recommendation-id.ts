/** Recommendation ids. They encode the recipient and the subject, because a recommendation is not stored until it gets feedback. */

export type RecipientType = 'ATHLETE' | 'OPPORTUNITY' | 'ORGANIZATION';

export interface RecommendationKey {
  readonly recipientType: RecipientType;
  readonly recipientId: string;
  /** An opportunity for an athlete, otherwise an athlete. */
  readonly subjectId: string;
}

const recipientTypes: readonly RecipientType[] = ['ATHLETE', 'OPPORTUNITY', 'ORGANIZATION'];

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** 44 characters of base64url: one byte for the type of recipient, then both ids. */
export function encodeRecommendationId({ recipientType, recipientId, subjectId }: RecommendationKey): string {
  const type = Buffer.of(recipientTypes.indexOf(recipientType));
  return Buffer.concat([type, bytesOf(recipientId), bytesOf(subjectId)]).toString('base64url');
}

/** Null if the text is not a recommendation id. */
export function decodeRecommendationId(id: string): RecommendationKey | null {
  const bytes = Buffer.from(id, 'base64url');
  const recipientType = recipientTypes[bytes[0] ?? recipientTypes.length];
  if (bytes.length !== 33 || recipientType === undefined || bytes.toString('base64url') !== id) return null;
  return { recipientType, recipientId: uuidOf(bytes.subarray(1, 17)), subjectId: uuidOf(bytes.subarray(17)) };
}

/** The type of subject that is recommended to a type of recipient. */
export const subjectTypeOf = (recipientType: RecipientType) => (recipientType === 'ATHLETE' ? 'OPPORTUNITY' : 'ATHLETE');
