/** A file's name whose end stays where there is no room. The element around it has the class `cut` of the same name. */
export function CutName({ name }: { name: string }) {
  const { start, end } = splitName(name);
  return (
    <>
      <span>{start}</span>
      <span>{end}</span>
    </>
  );
}

/** Letters that are written from right to left. Two parts of such a name would be shown in the wrong order. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The end of a name that is never cut: it tells 'lamps-1.csv' from 'lamps-2.csv'. */
const keptEnd = /[!-~]{0,9}$/;

/**
 * Splits a file name into a part that may be cut and the end that stays. The end has ASCII characters only: a cut
 * within a combined character would change it. A name with letters from right to left stays whole.
 */
export function splitName(filename: string): { start: string; end: string } {
  if (rightToLeft.test(filename)) return { start: filename, end: '' };
  const end = keptEnd.exec(filename)?.[0] ?? '';
  return { start: filename.slice(0, filename.length - end.length), end };
}
