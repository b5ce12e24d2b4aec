import type { Scanner } from '../scan/scan.ts';
import { type Encoding, isTranscribed, type TranscribedEncoding } from './encodings.ts';
import { transcriptDecoder } from './transcript-decoder.ts';

/** Bytes per step. A piece of the transcript may be three times as long. */
const stepBytes = 64 * 1024;

/**
 * Converts a file to UTF-8 without byte order mark, in new pieces of at most 192 KiB. Invalid bytes become U+FFFD. The
 * result does not depend on how the bytes are split. Never throws.
 */
export function transcriber(
  encoding: TranscribedEncoding,
  onPiece: (piece: Uint8Array<ArrayBuffer>) => void,
): Scanner {
  const decoder = transcriptDecoder(encoding);
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

/** Passes a file's bytes on to `scanner`, as a transcript if the encoding needs one. */
export function fileScanner(encoding: Encoding, scanner: Scanner): Scanner {
  if (!isTranscribed(encoding)) return scanner;
  const transcript = transcriber(encoding, (piece) => scanner.push(piece));
  return {
    push: transcript.push,
    end() {
      transcript.end();
      scanner.end();
    },
  };
}
