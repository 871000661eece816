/** The signed-in member of a request. */
import type { RequestMember } from '../access.ts';

export interface MemberRow extends RequestMember {
  readonly scopes: readonly string[];
}
