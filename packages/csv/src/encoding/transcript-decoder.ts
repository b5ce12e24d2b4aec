import { joined } from '../joined.ts';
import type { TranscribedEncoding } from './encodings.ts';

/** With `stream`, an incomplete character at the end waits for the next piece. */
export type TranscriptDecoder = { decode(bytes?: Uint8Array, options?: { stream: boolean }): string };

/** Decodes without the byte order mark, invalid bytes to U+FFFD. TextDecoder has all these encodings but UTF-32. */
export function transcriptDecoder(encoding: TranscribedEncoding): TranscriptDecoder {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return utf32Decoder(encoding === 'utf-32le');
  return new TextDecoder(encoding);
}

/** A safe number of arguments for one call. */
const charactersMax = 8192;
const mark = 0xfeff;
const replacement = 0xfffd;

function utf32Decoder(littleEndian: boolean): TranscriptDecoder {
  let rest: Uint8Array = new Uint8Array(0);
  let begun = false;
  return {
    decode(piece = new Uint8Array(0), { stream } = { stream: false }) {
      const bytes = joined([rest, piece]);
      const view = new DataView(bytes.buffer);
      const whole = bytes.length - (bytes.length % 4);
      rest = bytes.slice(whole);
      let text = '';
      let characters: number[] = [];
      const add = (character: number) => {
        if (begun || character !== mark) characters.push(character);
        begun = true;
        if (characters.length < charactersMax) return;
        text += String.fromCodePoint(...characters);
        characters = [];
      };
      for (let at = 0; at < whole; at += 4) {
        const character = view.getUint32(at, littleEndian);
        add(isCharacter(character) ? character : replacement);
      }
      if (!stream && rest.length > 0) {
        rest = new Uint8Array(0);
        add(replacement);
      }
      return text + String.fromCodePoint(...characters);
    },
  };
}

const isCharacter = (character: number) =>
  character <= 0x10ffff && (character < 0xd800 || character > 0xdfff);
