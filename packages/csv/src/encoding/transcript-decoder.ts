import { joinBytes } from '../joined.ts';
import type { TranscribedEncoding } from './encodings.ts';

/** With `stream`, an incomplete character at the end is kept for the next piece. */
export type TranscriptDecoder = { decode(bytes?: Uint8Array, options?: { stream: boolean }): string };

/** Returns a decoder that drops the byte order mark. Invalid bytes become U+FFFD. `TextDecoder` lacks only UTF-32. */
export function createTranscriptDecoder(encoding: TranscribedEncoding): TranscriptDecoder {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return utf32Decoder(encoding === 'utf-32le');
  return new TextDecoder(encoding);
}

const mark = '\uFEFF';
const replacement = '\uFFFD';

function utf32Decoder(littleEndian: boolean): TranscriptDecoder {
  let rest: Uint8Array = new Uint8Array(0);
  let begun = false;
  return {
    decode(piece = new Uint8Array(0), { stream } = { stream: false }) {
      const bytes = joinBytes([rest, piece]);
      const view = new DataView(bytes.buffer);
      const whole = bytes.length - (bytes.length % 4);
      let text = '';
      for (let at = 0; at < whole; at += 4) {
        const code = view.getUint32(at, littleEndian);
        text += isCharacter(code) ? String.fromCodePoint(code) : replacement;
      }
      rest = bytes.slice(whole);
      if (!stream && rest.length > 0) {
        rest = new Uint8Array(0);
        text += replacement;
      }
      if (!begun && text.startsWith(mark)) text = text.slice(mark.length);
      begun ||= bytes.length >= 4;
      return text;
    },
  };
}

const isCharacter = (code: number) => code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
