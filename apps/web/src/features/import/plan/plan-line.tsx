import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import { choiceLabel, isDecidedSince } from '@draftshelf/domain/push/push-choices';
import { Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode, useId, useMemo, useState } from 'react';
import type { Reply } from '../../../api/call.ts';
import { formatCount } from '../../../lib/intl.ts';
import { rememberStore } from '../../../lib/storage.ts';
import { BodyText, OutsideLink, QuietText, SubtleButton } from '../../../ui/basics.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { SmallReasonedButton, TextReasonedButton } from '../../../ui/hint.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { wordDiff } from '../proposals/word-diff.ts';
import { LookBadge, outcomeLooks } from '../status/status-look.tsx';
import classes from './plan.module.css';
import { useDecide, usePlannedProduct } from './plan-api.ts';
import { choiceEffect, otherwiseWords, partsWords, valueLabel, willWords } from './plan-words.ts';

type PlanLineProps = {
  importId: string;
  product: PlannedProduct;
  /** A list of one outcome has the outcome in its heading. */
  hasOutcome: boolean;
  /** Nothing of the plan can be decided after the push. */
  isOver: boolean;
  opensAtOnce: boolean;
};

export function PlanLine({ importId, product, hasOutcome, isOver, opensAtOnce }: PlanLineProps) {
  const [isOpen, setOpen] = useState(opensAtOnce);
  const differences = useId();
  const title = product.title ?? `Product ${formatCount(product.product)}`;
  // A later decision has changed the product's outcome.
  const isOfEarlier = isDecidedSince(product);
  const { outcome, message, parts, edited, otherwise } = product;
  return (
    <li className={`${classes.line} pad-y-6 line-above`}>
      <div className={`row-wrap ${classes.head}`}>
        <UnstyledButton
          className={`${classes.title} row top gap-tight size-sm strong break-words`}
          data-line
          aria-expanded={isOpen}
          aria-controls={differences}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={16} className={`${classes.chevron} rigid above-hair dim`} aria-hidden />
          <span dir="auto">{title}</span>
        </UnstyledButton>
        {hasOutcome && !isOfEarlier && (
          <LookBadge look={outcomeLooks[product.outcome]} word={willWords[product.outcome]} />
        )}
        {product.storeUrl !== null && (
          <OutsideLink
            href={product.storeUrl}
            size="sm"
            underline="always"
            className="target"
            onClick={rememberStore}
          >
            View in Shopify<span className="visually-hidden">: {title}</span>
          </OutsideLink>
        )}
      </div>
      <div className={`break-words ${classes.reasons}`}>
        {message !== null && (
          <BodyText dir="auto">
            {isOfEarlier && 'When planned: '}
            {message}
          </BodyText>
        )}
        {outcome === 'updated' && !isOfEarlier && parts.length > 0 && (
          <QuietText>Changes {partsWords(parts)}.</QuietText>
        )}
        {edited && <BodyText c="var(--text-warning)">Edited since it was planned.</BodyText>}
        {otherwise !== null && (
          <BodyText c="var(--text-warning)">Not as planned: {otherwiseWords[otherwise]}.</BodyText>
        )}
      </div>
      {!isOver && <LineChoices importId={importId} product={product} title={title} />}
      <div id={differences} className={classes.opened}>
        {isOpen && (
          <PlanDifferences importId={importId} product={product.product} outcome={product.outcome} />
        )}
      </div>
    </li>
  );
}

type LineChoicesProps = { importId: string; product: PlannedProduct; title: string };

function LineChoices({ importId, product: line, title }: LineChoicesProps) {
  const { product, about, choices, choice } = line;
  const deciding = useDecide(importId);
  const { decide, reason, pending } = deciding;
  const id = useId();
  if (about === null || choices.length === 0) return null;
  return (
    // The buttons and the decision replace each other.
    <div className={`row-wrap ${classes.choices}`} id={id} data-focus-next={`#${id} button`}>
      {choice !== null && (
        <Made
          words={`Decided: ${choiceLabel(about, choice)}`}
          takeBack={`Take back the decision about ${title}`}
          deciding={deciding}
          onTakeBack={() => decide({ about, choice: null, product })}
        />
      )}
      {choice === null &&
        choices.map((open) => (
          <SmallReasonedButton
            key={open}
            hint={choiceEffect(about, open)}
            aria-label={`${choiceLabel(about, open)}: ${title}`}
            reason={pending === open ? null : reason}
            loading={pending === open}
            onClick={() => decide({ about, choice: open, product })}
          >
            {choiceLabel(about, open)}
          </SmallReasonedButton>
        ))}
    </div>
  );
}

type MadeProps = {
  words: string;
  /** Names the button. */
  takeBack: string;
  deciding: ReturnType<typeof useDecide>;
  onTakeBack: () => void;
};

export const Made = ({ words, takeBack, deciding: { pending, reason }, onTakeBack }: MadeProps) => (
  <>
    <BodyText className={`row-wrap numbers ${classes.made}`}>
      <IconCheck size={16} aria-hidden /> {words}
    </BodyText>
    <TextReasonedButton
      aria-label={takeBack}
      reason={pending === 'none' ? null : reason}
      loading={pending === 'none'}
      onClick={onTakeBack}
    >
      Take Back
    </TextReasonedButton>
  </>
);

type PlanDifferencesProps = Pick<PlannedProduct, 'product' | 'outcome'> & { importId: string };

const PlanDifferences = ({ importId, product, outcome }: PlanDifferencesProps) => (
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
                  {difference.part === 'images' &&
                    ((side) => (
                      <span className="row-wrap">
                        {images[side].map((image, at) => {
                          const alt = image.alt || `Image ${at + 1}`;
                          return (
                            <span
                              // biome-ignore lint/suspicious/noArrayIndexKey: two images may be the same
                              key={`${at} ${image.url}`}
                              className={`${classes.image} framed center-grid surface-quiet`}
                            >
                              <Picture
                                src={image.url}
                                alt={alt}
                                fallback={
                                  <span className={`${classes.noImage} small break-words`}>{alt}</span>
                                }
                              />
                            </span>
                          );
                        })}
                      </span>
                    ))}
                </DifferingValue>
              ))}
            </ul>
          )}
        </Fragment>
      ))}
    </>
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
