import type { Scanner } from '../scan/scan.ts';
import { type Encoding, isTranscribed, type TranscribedEncoding } from './encodings.ts';
import { transcriptDecoder } from './transcript-decoder.ts';

export type Transcriber = {
  /** Takes the next bytes of the file. */
  push(piece: Uint8Array): void;
  /** Call after the last bytes. */
  end(): void;
};

/** How many bytes are decoded at once. It bounds a piece of the transcript, which may be three times as long. */
const stepBytes = 64 * 1024;

/**
 * Converts the bytes of a file into its transcript: the same text in UTF-8, without the byte order mark. `onPiece` gets
 * pieces of at most 192 KiB, each a new array. Invalid bytes become U+FFFD, which the scanner reports. The transcript
 * depends only on the bytes, not on how they are split into pieces. Never throws.
 */
export function transcriber(
  encoding: TranscribedEncoding,
  onPiece: (piece: Uint8Array<ArrayBuffer>) => void,
): Transcriber {
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

/** Takes a file's own bytes and passes them on to `scanner`, as a transcript if the encoding needs one. */
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
