import { damagedError } from '../container-error.ts';
import { isSameBytes } from './bytes.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const named = Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }).map(([name, text]) => ({
  name: encoder.encode(name),
  text: encoder.encode(text),
}));

/** Returns the text of an entity (without `&` and `;`): one of XML's five, or a number. Throws for other entities. */
export function decodeEntity(bytes: Uint8Array, from: number, to: number): Uint8Array {
  for (const { name, text } of named) if (isSameBytes(name, bytes, from, to)) return text;
  const [, hex, decimal] =
    /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(decoder.decode(bytes.subarray(from, to))) ?? [];
  const code = Number.parseInt(hex ?? decimal ?? '', hex ? 16 : 10);
  if (Number.isNaN(code) || code > 0x10ffff || code === 0)
    throw damagedError('a part of it has an unknown entity');
  return encoder.encode(String.fromCodePoint(code));
}
