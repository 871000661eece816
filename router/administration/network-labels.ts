/** Labels of the networks from which people sign in: the same network has the same label, and no label reveals an address. */
import { createHmac } from 'node:crypto';
import { addressNetwork } from '../admission/quota/subject.ts';

/** The purpose of the key of the labels; only routers have it. */
export const networkLabelPurpose = 'network-label/1';

/** Returns the label of an address: that of its network, the IPv4 address or the /64 of IPv6. */
export type LabelOf = (address: string) => string;

/** Creates the function that labels addresses: 48 bits of HMAC-SHA-256(key, network). */
export const createNetworkLabels =
  (key: Buffer): LabelOf =>
  (address) =>
    createHmac('sha256', key).update(addressNetwork(address)).digest('hex').slice(0, 12);
