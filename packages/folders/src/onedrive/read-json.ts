/**
 * The JSON of an answer; null: it has another body, or none. Throws if it has more than `bytesMax` bytes, or if the
 * connection breaks.
 */
export async function readJson(response: Response, bytesMax: number): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new Error(`The answer has more than ${bytesMax} bytes.`);
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return null;
  }
}
