import { Readable } from 'node:stream';
import type { TranscribedEncoding } from '@draftshelf/csv/encoding/encodings';
import { transcriber } from '@draftshelf/csv/encoding/transcriber';
import { transcriptKey } from '@draftshelf/csv/object-keys';
import type { ObjectStorage } from './connect.ts';
import { getStream } from './objects.ts';
import { putStream } from './put-stream.ts';

/** Stores a UTF-8 transcript in a second pass: few files need one, and some only at their end (docs/decisions/0012). */
export async function storeTranscript(
  storage: ObjectStorage,
  fileKey: string,
  encoding: TranscribedEncoding,
): Promise<void> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let made: Uint8Array[] = [];
    const transcript = transcriber(encoding, (piece) => made.push(piece));
    for await (const piece of getStream(storage, fileKey)) {
      transcript.push(piece);
      yield* made;
      made = [];
    }
    transcript.end();
    yield* made;
  }
  const buffers = Readable.from(pieces(), { objectMode: false });
  await putStream(storage, transcriptKey(fileKey, encoding), buffers, {
    contentType: 'text/csv; charset=utf-8',
  });
}
