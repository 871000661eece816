/** The URL of the crest of an organization and of its teams. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { OrganizationRow } from './rows.ts';

/** Creates the function that returns the URL of the uploaded image, otherwise the one that the owner gave; null without both. */
export const createImageUrlOf =
  ({ images }: Pick<AreaServices, 'images'>) =>
  ({ imageId, logoUrl }: Pick<OrganizationRow, 'imageId' | 'logoUrl'>): string | null =>
    imageId === null ? logoUrl : images.urlOf(imageId);
