import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { type DiffPart, wordDiff } from '../../../components/proposals/word-diff.ts';
import { valueLabel } from './part-words.ts';
import classes from './plan-list.module.css';
import { textOfHtml } from './text-of-html.ts';

type Side = 'store' | 'push';

type DifferingValueProps = {
  part: string;
  name: string;
  store: string | null;
  push: string | null;
  /** The headings of both sides. */
  sides: Record<Side, string>;
  /** Draws a side in place of its text. */
  children: ((side: Side) => ReactNode) | false;
};

/** Longer values are folded until they are shown whole. */
const foldedCharsMin = 600;

/** A value on both sides, with the words that differ marked. */
export function DifferingValue({ part, name, sides, children, ...values }: DifferingValueProps) {
  const [store, push] = useMemo(
    () => shownTexts(part, values.store, values.push),
    [part, values.store, values.push],
  );
  const isLong = Math.max(store?.length ?? 0, push?.length ?? 0) > foldedCharsMin;
  const [isWhole, setWhole] = useState(!isLong);
  const words = useMemo(() => wordDiff(store ?? '', push ?? ''), [store, push]);
  const side = (which: Side, text: string | null, kind: DiffPart['kind']) => (
    <>
      <dt>{sides[which]}</dt>
      <dd dir="auto" data-folded={!isWhole || undefined}>
        {children ? (
          children(which)
        ) : text === null ? (
          <span className={classes.none}>none</span>
        ) : (
          <Marked words={words} kind={kind} isMarked={store !== null && push !== null} />
        )}
      </dd>
    </>
  );
  return (
    <li className={classes.difference}>
      <span className={classes.part}>{valueLabel({ part, name })}</span>
      <dl className={classes.values}>
        <div>{side('store', store, 'removed')}</div>
        <div>{side('push', push, 'added')}</div>
      </dl>
      {isLong && (
        <Button size="compact-xs" variant="subtle" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show Less' : 'Show All'}
        </Button>
      )}
    </li>
  );
}

/** Descriptions are shown as text, unless they differ only in how they look. */
function shownTexts(part: string, store: string | null, push: string | null): [string | null, string | null] {
  if (part !== 'description') return [store, push];
  const texts = [store && textOfHtml(store), push && textOfHtml(push)] as [string | null, string | null];
  return texts[0] === texts[1] ? [store, push] : texts;
}

type MarkedProps = { words: readonly DiffPart[]; kind: DiffPart['kind']; isMarked: boolean };

/** The words of one side. `isMarked`: the other side has a value too. */
function Marked({ words, kind, isMarked }: MarkedProps) {
  const Mark = kind === 'removed' ? 'del' : 'ins';
  return words.map((word, at) => {
    const key = `${at} ${word.text}`;
    if (word.kind !== 'same' && word.kind !== kind) return null;
    if (word.kind === 'same' || !isMarked) return <span key={key}>{word.text}</span>;
    return (
      <span key={key}>
        <Mark className={classes.mark}>{word.text.trimEnd()}</Mark>
        {word.text.slice(word.text.trimEnd().length)}
      </span>
    );
  });
}
