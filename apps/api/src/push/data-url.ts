import { photoBytesMax, photoTooLarge } from '@draftshelf/domain/scanner/pictures/photo-limits';

/** `data:`, a media type with its parameters, `;base64` and the comma. */
const headCharsMax = 128;

/** A data URL that cannot be a photo. The message is a sentence for the operator. */
export class DataUrlRefused extends Error {}

/**
 * Decodes a data URL that arrives in pieces into a buffer of at least `photoBytesMax` bytes. Its media type is ignored:
 * the bytes say what the picture is.
 */
export function dataUrlDecoder(into: Buffer) {
  let head = '';
  let isBody = false;
  /** Up to three characters that make no whole byte triple yet. */
  let carry = '';
  let filled = 0;
  const write = (text: string) => {
    const bytes = Buffer.byteLength(text, 'base64');
    if (filled + bytes > photoBytesMax) throw new DataUrlRefused(photoTooLarge);
    filled += into.write(text, filled, 'base64');
  };
  return {
    /** Throws DataUrlRefused. */
    push(piece: string): void {
      let text = carry + piece;
      if (!isBody) {
        head += piece;
        const comma = head.indexOf(',');
        if (comma < 0 && head.length <= headCharsMax) return;
        if (!/;base64$/i.test(head.slice(0, Math.max(comma, 0)))) throw unreadable();
        isBody = true;
        text = head.slice(comma + 1);
      }
      // Padding is only at the end.
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw unreadable();
      const whole = text.length - (text.length % 4);
      write(text.slice(0, whole));
      carry = text.slice(whole);
    },
    /** The bytes: a part of the buffer. */
    end(): Buffer {
      write(carry);
      return into.subarray(0, filled);
    },
  };
}

const unreadable = () => new DataUrlRefused('The photo’s data can’t be read. Choose it again.');
