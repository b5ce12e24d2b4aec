/** Part of the key of a table object. It rises when the same workbook gives other text. */
export const converterVersion = 1;

/** Whether a file is a ZIP archive, which workbooks are too, or gzip, by its first bytes. */
export function containerKind(head: Uint8Array): 'zip' | 'gzip' | null {
  const [first, second, third, fourth] = head;
  if (first === 0x1f && second === 0x8b && third === 0x08) return 'gzip';
  // An entry, or the end of an empty archive.
  const isZip = (third === 3 && fourth === 4) || (third === 5 && fourth === 6);
  return first === 0x50 && second === 0x4b && isZip ? 'zip' : null;
}
