import { createTextReader, type Encoding, transcribedEncodings } from '../encoding/encodings.ts';

/** Encodes text, which browsers and Node only do for UTF-8: tries what each byte or pair of bytes decodes to. */
export function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return encodeUtf16(text, encoding === 'utf-16be');
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return encodeUtf32(text, encoding === 'utf-32be');
  const bytesOf = tableOf(encoding);
  return Uint8Array.from(
    [...text].flatMap((char) => {
      const bytes = bytesOf.get(char);
      if (bytes === undefined) throw new Error(`${char} cannot be written in ${encoding}`);
      return bytes;
    }),
  );
}

function encodeUtf16(text: string, bigEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), !bigEndian);
  return new Uint8Array(view.buffer);
}

function encodeUtf32(text: string, bigEndian: boolean): Uint8Array {
  const characters = [...text];
  const view = new DataView(new ArrayBuffer(characters.length * 4));
  characters.forEach((character, at) => {
    view.setUint32(at * 4, character.codePointAt(0) as number, !bigEndian);
  });
  return new Uint8Array(view.buffer);
}

const tables = new Map<Encoding, Map<string, number[]>>();

function tableOf(encoding: Encoding): Map<string, number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const table = new Map<string, number[]>();
  const isPaired = (transcribedEncodings as readonly string[]).includes(encoding);
  const read = isPaired
    ? (bytes: Uint8Array) => new TextDecoder(encoding).decode(bytes)
    : createTextReader(encoding).read;
  const note = (bytes: number[]) => {
    const char = read(Uint8Array.from(bytes));
    if ([...char].length === 1 && char !== '\uFFFD' && !table.has(char)) table.set(char, bytes);
  };
  for (let byte = 0; byte < 256; byte += 1) note([byte]);
  for (let lead = 0x81; isPaired && lead < 0xff; lead += 1) {
    for (let trail = 0x40; trail < 0xff; trail += 1) note([lead, trail]);
  }
  tables.set(encoding, table);
  return table;
}
