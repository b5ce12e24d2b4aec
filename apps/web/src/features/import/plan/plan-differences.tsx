import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import { Skeleton, Text } from '@mantine/core';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import type { Reply } from '../../../api/call.ts';
import { SubtleButton } from '../../../ui/button.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { BodyText, QuietText } from '../../../ui/text.tsx';
import { wordDiff } from '../proposals/word-diff.ts';
import classes from './plan.module.css';
import { usePlannedProduct } from './plan-api.ts';
import { valueLabel } from './plan-words.ts';

type PlanDifferencesProps = Pick<PlannedProduct, 'product' | 'outcome'> & { importId: string };

export const PlanDifferences = ({ importId, product, outcome }: PlanDifferencesProps) => (
  <Read
    of={usePlannedProduct(importId, product)}
    what="the differences"
    meanwhile={<Skeleton height={120} aria-hidden />}
  >
    {(planned) => <Differences planned={planned} outcome={outcome} />}
  </Read>
);

type DifferencesProps = Pick<PlannedProduct, 'outcome'> & { planned: Reply<'getPlannedProduct'> };

function Differences({ planned: { differences: all, asked, images, sent }, outcome }: DifferencesProps) {
  const nameOf = ({ part, name }: { part: string; name: string }) => `${part} ${name}`;
  const areAsked = new Set(asked.map(nameOf));
  const differences = all.filter((one) => !areAsked.has(nameOf(one)));
  if (asked.length + differences.length === 0) {
    return (
      <QuietText>
        {outcome === 'unchanged'
          ? 'The store has what the push would send.'
          : 'There are no differences to show.'}
      </QuietText>
    );
  }
  const sides = { store: 'In the store', push: sent ? 'After the push' : 'In this import' };
  return (
    <>
      <div className={`${classes.sides} grid small gap-x-sm`} aria-hidden>
        <span>{sides.store}</span>
        <span>{sides.push}</span>
      </div>
      {[
        { label: 'Changed in the store, for you to decide', of: asked },
        { label: 'Differences', of: differences },
      ].map(({ label, of }) => (
        <Fragment key={label}>
          {of === asked && of.length > 0 && <BodyText fw={600}>{label}</BodyText>}
          {of.length > 0 && (
            <ul className="list" aria-label={label}>
              {of.map((difference) => (
                <DifferingValue key={nameOf(difference)} {...difference} sides={sides}>
                  {difference.part === 'images' && ((side) => <Images images={images[side]} />)}
                </DifferingValue>
              ))}
            </ul>
          )}
        </Fragment>
      ))}
    </>
  );
}

const Images = ({ images }: { images: { url: string | null; alt: string | null }[] }) => (
  <span className="row-wrap">
    {images.map(({ url, alt }, at) => {
      // Two images may be the same.
      const key = `${at} ${url}`;
      return <Thumbnail key={key} url={url} alt={alt || `Image ${at + 1}`} />;
    })}
  </span>
);

function Thumbnail({ url, alt }: { url: string | null; alt: string }) {
  const fallback = <span className={`${classes.noImage} small break-words`}>{alt}</span>;
  return (
    <span className={`${classes.image} framed center-grid surface-quiet`}>
      {url === null ? fallback : <Picture src={url} alt={alt} fallback={fallback} />}
    </span>
  );
}

type Side = 'store' | 'push';

type DifferingValueProps = {
  part: string;
  name: string;
  store: string | null;
  push: string | null;
  sides: Record<Side, string>;
  children: ((side: Side) => ReactNode) | false;
};

/** Longer values are folded at first. */
const foldedCharsMin = 600;

function DifferingValue({ part, name, sides, children, ...values }: DifferingValueProps) {
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
    <li className={`${classes.difference} grid pad-y-6 line-above size-sm`}>
      <span className={`${classes.part} dim break-words`}>{valueLabel({ part, name })}</span>
      <dl className={`${classes.values} grid gap-x-sm flush`}>
        <div>{side('store', store, push)}</div>
        <div>{side('push', push, store)}</div>
      </dl>
      {isLong && (
        <SubtleButton size="compact-xs" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show Less' : 'Show All'}
        </SubtleButton>
      )}
    </li>
  );
}

/** Descriptions are compared as text unless only their markup differs. */
function shownTexts(part: string, store: string | null, push: string | null): [string | null, string | null] {
  if (part !== 'description') return [store, push];
  const texts = [store && textOfHtml(store), push && textOfHtml(push)] as [string | null, string | null];
  return texts[0] === texts[1] ? [store, push] : texts;
}

/** Single words, as prices, are not compared by words. */
const isOneWord = (text: string): boolean => !/\s/.test(text.trim());

function Marked({ text, other, as: Mark }: { text: string; other: string | null; as: 'del' | 'ins' }) {
  const words = useMemo(() => (other === null ? [] : wordDiff(other, text)), [text, other]);
  if (other === null || (isOneWord(text) && isOneWord(other))) return text;
  return words.map((word, at) => {
    const key = `${at} ${word.text}`;
    if (word.kind === 'removed') return null;
    if (word.kind === 'same') return <span key={key}>{word.text}</span>;
    return (
      <span key={key}>
        <Mark>{word.text.trimEnd()}</Mark>
        {word.text.slice(word.text.trimEnd().length)}
      </span>
    );
  });
}

const blocks = 'p, div, li, br, tr, h1, h2, h3, h4, h5, h6, ul, ol, table';

/** Puts a line break after each block. Loads and runs nothing. */
function textOfHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const block of body.querySelectorAll(blocks)) block.after('\n');
  return (body.textContent ?? '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}
