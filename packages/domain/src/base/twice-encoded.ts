/** Windows-1252's characters for the bytes 0x80 to 0x9F. Five bytes have none and map to themselves. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const byteOf = new Map([...windows1252].map((char, at) => [char, 0x80 + at]));

/** A continuation byte of UTF-8, read as Windows-1252 or Latin-1. In `sequence`, a lead byte comes before it. */
const follows = '[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';
const sequence = new RegExp(`(?:[Â-ÅÎÏÐÑ]${follows}|â[€‚„]${follows})`);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the original of a text that was encoded twice ('Café' for 'CafÃ©'). Null for other texts. */
export function decodeTwiceEncoded(text: string): string | null {
  if (!sequence.test(text)) return null;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const byte = code <= 0xff ? code : byteOf.get(text.charAt(at));
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Sequences of no language, which prove double encoding: 'Ã©', 'Â®', 'â€™'. Other sequences must occur twice. */
const sure = new RegExp(`[ÂÃ]${follows}|â[€‚„]${follows}`);
const all = new RegExp(sequence, 'g');

/** Whether a text holds characters that were encoded twice. */
export const looksTwiceEncoded = (text: string): boolean =>
  sequence.test(text) && (sure.test(text) || (text.match(all)?.length ?? 0) > 1);

const notAscii = /[^\0-\x7f]/;

/** Whether a column has texts that were encoded twice, and all of its other texts are ASCII. */
export function hasTwiceEncodedTexts(cells: readonly string[]): boolean {
  const others = cells.filter((cell) => notAscii.test(cell));
  return others.some(looksTwiceEncoded) && others.every((cell) => decodeTwiceEncoded(cell) !== null);
}
