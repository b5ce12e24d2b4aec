/** Keeps the end of a file's name in sight. The element around it is a flex line. */
export function CutName({ name }: { name: string }) {
  const { start, end } = splitName(name);
  return (
    <>
      <span className="cut">{start}</span>
      <span className="rigid">{end}</span>
    </>
  );
}

/** Two parts of a right-to-left name would be shown in the wrong order. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Never cut: the end tells 'lamps-1.csv' from 'lamps-2.csv'. */
const keptEnd = /[!-~]{0,9}$/;

/** A cut within a combined character would change it, so the end is ASCII. A right-to-left name stays whole. */
export function splitName(filename: string): { start: string; end: string } {
  if (rightToLeft.test(filename)) return { start: filename, end: '' };
  const end = keptEnd.exec(filename)?.[0] ?? '';
  return { start: filename.slice(0, filename.length - end.length), end };
}
