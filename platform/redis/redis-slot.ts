/** The slot of a Redis Cluster that a key belongs to: https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#key-distribution-model */

const slots = 16_384;

/** The hashed part of a key: the text between its first `{` and the next `}`, if any. */
function hashed(key: string): string {
  const open = key.indexOf('{');
  const close = key.indexOf('}', open);
  return open === -1 || close <= open + 1 ? key : key.slice(open + 1, close);
}

/** CRC-16/XMODEM. */
function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff;
  }
  return crc;
}

/** A number from 0 to 16,383. */
export const slotOf = (key: string): number => crc16(Buffer.from(hashed(key))) % slots;
