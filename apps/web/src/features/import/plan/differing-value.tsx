import { Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { wordDiff } from '../proposals/word-diff.ts';
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
  const side = (which: Side, text: string | null, other: string | null) => (
    <>
      <dt>{sides[which]}</dt>
      <dd dir="auto" data-folded={!isWhole || undefined}>
        {children ? (
          children(which)
        ) : text === null ? (
          <Text span inherit c="dimmed">
            none
          </Text>
        ) : (
          <Marked text={text} other={other} as={which === 'store' ? 'del' : 'ins'} />
        )}
      </dd>
    </>
  );
  return (
    <li className={classes.difference}>
      <span className={classes.part}>{valueLabel({ part, name })}</span>
      <dl className={classes.values}>
        <div>{side('store', store, push)}</div>
        <div>{side('push', push, store)}</div>
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

/** A text of one word, as a price, is not compared by words. */
const isOneWord = (text: string): boolean => !/\s/.test(text.trim());

type MarkedProps = { text: string; other: string | null; as: 'del' | 'ins' };

/** A text with the words marked that the other side has not. */
function Marked({ text, other, as: Mark }: MarkedProps) {
  const words = useMemo(() => (other === null ? [] : wordDiff(other, text)), [text, other]);
  if (other === null || (isOneWord(text) && isOneWord(other))) return text;
  return words.map((word, at) => {
    const key = `${at} ${word.text}`;
    if (word.kind === 'removed') return null;
    if (word.kind === 'same') return <span key={key}>{word.text}</span>;
    return (
      <span key={key}>
        <Mark className={classes.mark}>{word.text.trimEnd()}</Mark>
        {word.text.slice(word.text.trimEnd().length)}
      </span>
    );
  });
}
