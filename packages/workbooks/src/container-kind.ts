/** Part of the key of a table object. It must rise when the same workbook gives other text, which a test checks. */
export const converterVersion = 3;

/** Since this version numbers are without quotes, and texts in quotes that look like one with three decimals. */
export const numbersAreMarkedFrom = 3;

export const kindBytes = 8;

const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Workbooks are ZIP; old ones and those with a password are compound files. */
export function containerKind(head: Uint8Array): 'zip' | 'gzip' | 'cfb' | null {
  const [first, second, third, fourth] = head;
  if (first === 0x1f && second === 0x8b && third === 0x08) return 'gzip';
  if (compoundFile.every((byte, at) => head[at] === byte)) return 'cfb';
  const isZip = (third === 3 && fourth === 4) || (third === 5 && fourth === 6);
  return first === 0x50 && second === 0x4b && isZip ? 'zip' : null;
}
