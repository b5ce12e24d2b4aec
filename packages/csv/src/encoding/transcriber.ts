import { type Encoding, isTranscribed, type TranscribedEncoding } from './encodings.ts';
import { transcriptDecoder } from './transcript-decoder.ts';

export type Transcriber = {
  /** Takes the next bytes of the file. */
  push(piece: Uint8Array): void;
  /** Tells that no bytes follow. */
  end(): void;
};

/** So many bytes are decoded at once: bounds the transcript of one piece, which may be three times as long. */
const stepBytes = 64 * 1024;

/**
 * Turns the bytes of a file into its transcript: the same text in UTF-8, without the mark. `onPiece` gets it in pieces
 * of at most 192 KiB, each a fresh array. What stands for nothing becomes U+FFFD, which the scanner reports. The
 * transcript depends on the bytes alone, not on how they are cut into pieces. Never throws.
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

/** The key of the object that is scanned, for a file stored under `fileKey`: its own, or that of its transcript. */
export function scannedKey(fileKey: string, encoding: Encoding): string {
  return isTranscribed(encoding) ? transcriptKey(fileKey, encoding) : fileKey;
}

/** Where the transcript of a file stands: beside it, one per encoding that the file was read in. */
export function transcriptKey(fileKey: string, encoding: TranscribedEncoding): string {
  return `${fileKey}.${encoding}.utf8`;
}

const transcriptSuffix = /\.[^./]+\.utf8$/;

/** The key of the file to which an object belongs. */
export function fileKeyOf(objectKey: string): string {
  return objectKey.replace(transcriptSuffix, '');
}
