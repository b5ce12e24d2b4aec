import type { IncomingMessage } from 'node:http';

export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

/** The whole body of a request to a simulated service as text. Throws BodyTooLarge over `bytesMax` bytes. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new BodyTooLarge('The body is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
