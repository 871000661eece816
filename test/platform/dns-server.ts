/** A name server of a test: answers over UDP with the addresses that the test sets, or not at all. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

const headerBytes = 12;
const typeIpv4 = 1;
const typeIpv6 = 28;

/** The name of the first question, and the position after its type and class. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record that refers to the name of the question, with a time to live of 0 s. */
function addressRecord(address: string): { type: number; bytes: Buffer } {
  const value = Buffer.from(ipaddr.parse(address).toByteArray());
  const type = value.length === 4 ? typeIpv4 : typeIpv6;
  return { type, bytes: Buffer.concat([Buffer.from([0xc0, headerBytes, 0, type, 0, 1, 0, 0, 0, 0, 0, value.length]), value]) };
}

/** `answer` returns the addresses of a name; null: no response. */
export async function openDnsServer(answer: (name: string) => readonly string[] | null) {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    queries.push(name);
    const addresses = answer(name);
    if (addresses === null) return;
    const records = addresses.map(addressRecord).filter((record) => record.type === type);
    const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([header, query.subarray(headerBytes, end), ...records.map(({ bytes }) => bytes)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, queries, close: () => void socket.close() };
}
