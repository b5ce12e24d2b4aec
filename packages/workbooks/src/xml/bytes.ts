export const [lessThan, greaterThan, ampersand, slash, equals, doubleQuote, singleQuote, colon, semicolon] = [
  0x3c, 0x3e, 0x26, 0x2f, 0x3d, 0x22, 0x27, 0x3a, 0x3b,
] as const;

export const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export const isNameEnd = (byte: number) =>
  isSpace(byte) || byte === greaterThan || byte === slash || byte === equals;

export function isSameBytes(name: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  let at = 0;
  while (at < name.length && name[at] === bytes[from + at]) at += 1;
  return at === name.length;
}

/** Returns the index of a byte, or `to` if it is absent. */
export function indexOfByte(bytes: Uint8Array, byte: number, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== byte) at += 1;
  return at;
}

/** Returns the index of a short sequence of bytes, or -1 if it is absent. */
export function indexOfBytes(bytes: Uint8Array, run: readonly number[], from: number, to: number): number {
  for (let at = from; at + run.length <= to; at += 1) {
    let same = 0;
    while (same < run.length && bytes[at + same] === run[same]) same += 1;
    if (same === run.length) return at;
  }
  return -1;
}
