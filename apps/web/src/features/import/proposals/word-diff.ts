export type DiffPart = { kind: 'same' | 'removed' | 'added'; text: string };

/** Longer texts are compared as a whole: the table has the product of both lengths. */
const wordsMax = 800;

type Word = { text: string; bare: string };

const wordsOf = (text: string): Word[] =>
  (text.match(/[\p{L}\p{N}]+\s*|[^\p{L}\p{N}]\s*/gu) ?? []).map((word) => ({
    text: word,
    bare: word.trim(),
  }));

/** Returns shared, removed and added words in order. Texts without a shared word are one removed and one added part. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const parts: DiffPart[] = [];
  const add = (kind: DiffPart['kind'], text: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== '') parts.push({ kind, text });
  };
  const isSame = (a: number, b: number) => old[a]?.bare === now[b]?.bare;
  if (Math.max(old.length, now.length) <= wordsMax) {
    const common = commonLengths(old, now, isSame);
    let [a, b] = [0, 0];
    while (a < old.length || b < now.length) {
      if (a < old.length && b < now.length && isSame(a, b)) {
        add('same', now[b]?.text ?? '');
        [a, b] = [a + 1, b + 1];
      } else if (a < old.length && (b === now.length || common(a + 1, b) >= common(a, b + 1))) {
        add('removed', old[a]?.text ?? '');
        a += 1;
      } else {
        add('added', now[b]?.text ?? '');
        b += 1;
      }
    }
    if (parts.some(({ kind, text }) => kind === 'same' && /[\p{L}\p{N}]/u.test(text))) return parts;
  }
  return [{ kind: 'removed', text: before } as const, { kind: 'added', text: after } as const].filter(
    ({ text }) => text !== '',
  );
}

/** Number of shared words from word `a` of one text and word `b` of the other on. */
function commonLengths(
  old: readonly Word[],
  now: readonly Word[],
  isSame: (a: number, b: number) => boolean,
): (a: number, b: number) => number {
  const width = now.length + 1;
  const table = new Uint16Array((old.length + 1) * width);
  for (let a = old.length - 1; a >= 0; a -= 1) {
    for (let b = now.length - 1; b >= 0; b -= 1) {
      table[a * width + b] = isSame(a, b)
        ? (table[(a + 1) * width + b + 1] ?? 0) + 1
        : Math.max(table[(a + 1) * width + b] ?? 0, table[a * width + b + 1] ?? 0);
    }
  }
  return (a, b) => table[a * width + b] ?? 0;
}
