/** Conversion version, in the keys of table objects. Raise it if the same workbook converts to different text. */
export const converterVersion = 3;

/** From this version on, numbers have no quotes, and texts that look like a number with three decimals have quotes. */
export const unquotedNumbersVersion = 3;

export const kindHeadBytes = 8;

const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Returns the kind of a container. Workbooks are ZIP; old or password-protected workbooks are compound files. */
export function detectContainerKind(head: Uint8Array): 'zip' | 'gzip' | 'cfb' | null {
  const [first, second, third, fourth] = head;
  if (first === 0x1f && second === 0x8b && third === 0x08) return 'gzip';
  if (compoundFile.every((byte, at) => head[at] === byte)) return 'cfb';
  const isZip = (third === 3 && fourth === 4) || (third === 5 && fourth === 6);
  return first === 0x50 && second === 0x4b && isZip ? 'zip' : null;
}
