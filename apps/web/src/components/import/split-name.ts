/** The end of a name that is never cut: it tells 'lamps-1.csv' from 'lamps-2.csv'. */
const keptEnd = /[!-~]{0,9}$/;

/**
 * Splits a file name into a part that may be cut and the end that stays. The end has ASCII characters only: a cut within
 * an Arabic word or a combined character would change its letters.
 */
export function splitName(filename: string): { start: string; end: string } {
  const end = keptEnd.exec(filename)?.[0] ?? '';
  return { start: filename.slice(0, filename.length - end.length), end };
}
