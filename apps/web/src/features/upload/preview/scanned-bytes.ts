import { type Encoding, isTranscribed } from '@draftshelf/csv/encoding/encodings';
import { createTranscriber } from '@draftshelf/csv/encoding/transcriber';

/**
 * Returns bytes [from, to) of the text that was scanned: the file, or its UTF-8 transcript for an encoding that needs
 * one. The transcript is made again up to `to`, in a fraction of a second for the largest file.
 */
export async function readScannedBytes(
  file: Blob,
  encoding: Encoding,
  from: number,
  to: number,
): Promise<Uint8Array> {
  if (!isTranscribed(encoding)) return new Uint8Array(await file.slice(from, to).arrayBuffer());
  const range = new Uint8Array(to - from);
  let at = 0;
  const transcript = createTranscriber(encoding, (piece) => {
    const begin = Math.max(0, from - at);
    const part = piece.subarray(begin, Math.max(begin, to - at));
    if (part.length > 0) range.set(part, at + begin - from);
    at += piece.length;
  });
  const reader = file.stream().getReader();
  while (at < to) {
    const { done, value } = await reader.read();
    if (done) break;
    transcript.push(value);
  }
  if (at < to) transcript.end();
  await reader.cancel();
  return range;
}
