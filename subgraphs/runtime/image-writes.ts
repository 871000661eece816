/** Sets and removes the image of a resource. */
import type { ImageKind } from '../../platform/images/image-urls.ts';
import type { Consumer } from '../../platform/events/consumer.ts';
import { lockOwnedAt } from '../../platform/writes/lifecycle.ts';
import type { Resource, ResourceRow } from '../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../platform/writes/write.ts';
import type { Area } from '../../schema/areas.ts';
import type { AreaServices, Context } from './subgraph.ts';

interface ImageTarget<Row extends ResourceRow> {
  readonly resource: Resource<Row>;
  readonly kind: ImageKind;
  /** Rejects rows that cannot have an image. */
  readonly check?: (row: Row) => void;
  /** Changes the locked row to the image. */
  readonly change: (transaction: WriteTransaction, before: Row, imageId: string | null) => Promise<Row>;
}

interface ImageRequest {
  readonly id: string;
  readonly ifMatch: string;
  /** The file in base64; null removes the image. */
  readonly image: string | null;
}

/**
 * Creates the function that sets or removes the image of a resource. Whether the caller may change the resource is checked before the
 * image is decoded. Throws Problem not_found (404), not_owner (403), precondition_failed (412), validation_failed (422), overloaded or
 * upstream_unavailable (503).
 */
export function createImageWrite<Row extends ResourceRow>(
  { images, database, writer }: AreaServices,
  { resource, kind, check, change }: ImageTarget<Row>,
) {
  const lock = async (
    transaction: WriteTransaction,
    { viewer }: Context,
    expected: Omit<ImageRequest, 'image'>,
  ): Promise<Row> => {
    const row = await lockOwnedAt(transaction, resource, viewer, expected);
    check?.(row);
    return row;
  };
  return async (context: Context, { image, ...expected }: ImageRequest): Promise<Row> => {
    if (image !== null) await writer.write(context, (transaction) => lock(transaction, context, expected));
    const imageId = image === null ? null : await images.save(database, kind, image);
    return writer.write(context, async (transaction) => change(transaction, await lock(transaction, context, expected), imageId));
  };
}

/** The consumer that removes the files of images that no row of an area refers to any more. */
export const unusedImages = (source: Area, { database, images }: Pick<AreaServices, 'database' | 'images'>): Consumer => ({
  name: 'images',
  source,
  database,
  catchUp: () => images.removeUnused(database),
});
