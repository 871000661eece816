/** Images for tests, and requests that upload and read them. */
import pg from 'pg';
import sharp from 'sharp';
import type { Area } from '../../../schema/areas.ts';
import type { ClonedDatabase } from '../../database.ts';
import type { ApiResponse, Client } from '../../client.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

export const png = (width = 300, height = 200): Promise<Buffer> => picture(width, height).png().toBuffer();
export const jpeg = (width = 300, height = 200): Promise<Buffer> => picture(width, height).jpeg().toBuffer();
export const webp = (width = 300, height = 200): Promise<Buffer> => picture(width, height).webp().toBuffer();

/** A photo of a phone: turned by its orientation, with the place and the camera in its metadata. */
export const phonePhoto = (): Promise<Buffer> =>
  picture(400, 200)
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: 'Phonemaker' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } })
    .jpeg()
    .toBuffer();

/** Uploads an image to a resource. */
export function upload(client: Client, path: string, image: Buffer, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return client.send(`${path}/image`, {
    method: 'PUT',
    headers: { 'content-type': 'image/png', 'if-match': '*', ...headers },
    body: new Uint8Array(image),
  });
}

export interface Picture {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Reads an image by its URL, from the server at `restUrl`. */
export async function download(restUrl: string, url: string, more = '', headers: Record<string, string> = {}): Promise<Picture> {
  const { pathname, search } = new URL(url);
  const separator = search === '' ? '?' : '&';
  const response = await fetch(`${restUrl}${pathname}${search}${more && separator}${more}`, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Lets the hour pass after which an area removes the files of unused images. */
export async function passHour(database: ClonedDatabase, area: Area): Promise<void> {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`update ${area}.unused_image set remove_at = remove_at - interval '1 hour'`);
  await owner.end();
}
