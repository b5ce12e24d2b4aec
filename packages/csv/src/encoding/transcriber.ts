import type { Scanner } from '../scan/scan.ts';
import { type Encoding, isTranscribed, type TranscribedEncoding } from './encodings.ts';
import { createTranscriptDecoder } from './transcript-decoder.ts';

/** Bytes of the file per step. Their transcript may be three times as long. */
const stepBytes = 64 * 1024;

/**
 * Converts a file to UTF-8 without byte order mark, in pieces of at most 192 KiB that the caller may keep. Invalid
 * bytes become U+FFFD. The text is the same however the file is split into pieces. Never throws.
 */
export function createTranscriber(
  encoding: TranscribedEncoding,
  onPiece: (piece: Uint8Array<ArrayBuffer>) => void,
): Scanner {
  const decoder = createTranscriptDecoder(encoding);
  const encoder = new TextEncoder();
  const write = (text: string) => {
    if (text !== '') onPiece(encoder.encode(text));
  };
  return {
    push(piece) {
      for (let from = 0; from < piece.length; from += stepBytes) {
        write(decoder.decode(piece.subarray(from, from + stepBytes), { stream: true }));
      }
    },
    end() {
      write(decoder.decode());
    },
  };
}

/** Passes a file's bytes on to `scanner`, converted to UTF-8 if the encoding needs a transcript. */
export function createFileScanner(encoding: Encoding, scanner: Scanner): Scanner {
  if (!isTranscribed(encoding)) return scanner;
  const transcript = createTranscriber(encoding, (piece) => scanner.push(piece));
  return {
    push: transcript.push,
    end() {
      transcript.end();
      scanner.end();
    },
  };
}
