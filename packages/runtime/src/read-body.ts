export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

/** Returns a body as text. Throws BodyTooLarge over `bytesMax` bytes, because a server may send without end. */
export async function readBody(body: AsyncIterable<Uint8Array> | null, bytesMax: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new BodyTooLarge(`The body has more than ${bytesMax} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
