import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import { choiceLabel, hasChoiceChanged } from '@draftshelf/domain/push/push-choices';
import { type Difference, unasked } from '@draftshelf/domain/push/push-plan';
import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import type { Reply } from '../../../api/call.ts';
import { formatCount } from '../../../lib/intl.ts';
import { rememberStoreSeen } from '../../../lib/storage.ts';
import { BodyText, NewTabLink, QuietText, SubtleButton } from '../../../ui/basics.tsx';
import { ReadView } from '../../../ui/feedback/read.tsx';
import { SmallHintedButton, TextHintedButton } from '../../../ui/hint.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { wordDiff } from '../proposals/word-diff.ts';
import { LookBadge, outcomeLooks } from '../status/status-look.tsx';
import classes from './plan.module.css';
import { usePlanDecision, usePlannedProduct } from './plan-api.ts';
import { describeChoice, deviationWords, plannedOutcomeWords, valueLabel } from './plan-words.ts';

type PlanLineProps = {
  importId: string;
  product: PlannedProduct;
  /** True after the push, when decisions about the plan's products are no longer possible. */
  isOver: boolean;
  opensAtOnce: boolean;
};

/** A row of the plan's table. It shows the largest differences, or all of them when opened. */
export function PlanLine({ importId, product: line, isOver, opensAtOnce }: PlanLineProps) {
  const [isOpen, setOpen] = useState(opensAtOnce);
  const changes = useId();
  const { product, outcome, message, moreChanges, edited, otherwise } = line;
  const title = line.title ?? `Product ${formatCount(product)}`;
  // True if the outcome does not yet include the operator's latest decision about the product.
  const isOfEarlier = hasChoiceChanged(line);
  const isSent = !isOfEarlier && (outcome === 'created' || outcome === 'updated');
  const largest = (
    <>
      <Changes label="Changes" changes={line.changes} isSent={isSent} />
      {moreChanges > 0 && <QuietText>and {formatCount(moreChanges)} more</QuietText>}
    </>
  );
  return (
    <tr>
      <td>
        <UnstyledButton
          className={`${classes.title} row top gap-tight size-sm strong break-words`}
          data-line
          aria-expanded={isOpen}
          aria-controls={changes}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={16} className={`${classes.chevron} rigid above-hair dim`} aria-hidden />
          <span dir="auto">{title}</span>
        </UnstyledButton>
        {line.storeUrl !== null && (
          <NewTabLink
            href={line.storeUrl}
            size="sm"
            underline="always"
            className={`target ${classes.behindChevron}`}
            onClick={rememberStoreSeen}
          >
            View in Shopify<span className="visually-hidden">: {title}</span>
          </NewTabLink>
        )}
      </td>
      <td className={`${classes.sku} break-words`}>{line.sku}</td>
      <td>
        {!isOfEarlier && <LookBadge look={outcomeLooks[outcome]} word={plannedOutcomeWords[outcome]} />}
      </td>
      <td className="break-words">
        <div id={changes}>
          {isOpen ? <AllChanges importId={importId} product={product} meanwhile={largest} /> : largest}
        </div>
        {message !== null && (
          <BodyText dir="auto">
            {isOfEarlier && 'When planned: '}
            {message}
          </BodyText>
        )}
        {edited && <BodyText c="var(--text-warning)">Edited since the push was planned.</BodyText>}
        {otherwise !== null && (
          <BodyText c="var(--text-warning)">Not as planned: {deviationWords[otherwise]}.</BodyText>
        )}
        {!isOver && <LineChoices importId={importId} product={line} title={title} />}
      </td>
    </tr>
  );
}

type LineChoicesProps = { importId: string; product: PlannedProduct; title: string };

function LineChoices({ importId, product: line, title }: LineChoicesProps) {
  const { product, about, choices, choice } = line;
  const deciding = usePlanDecision(importId);
  const { decide, reason, pending } = deciding;
  const id = useId();
  if (about === null || choices.length === 0) return null;
  return (
    // The buttons and the decision replace each other, so the focus moves to the first button of either.
    <div className="row-wrap" id={id} data-focus-next={`#${id} button`}>
      {choice !== null && (
        <MadeDecision
          words={`Decided: ${choiceLabel(about, choice)}`}
          takeBack={`Take back the decision about ${title}`}
          deciding={deciding}
          onTakeBack={() => decide({ about, choice: null, product })}
        />
      )}
      {choice === null &&
        choices.map((open) => (
          <SmallHintedButton
            key={open}
            hint={describeChoice(about, open)}
            aria-label={`${choiceLabel(about, open)}: ${title}`}
            reason={pending === open ? null : reason}
            loading={pending === open}
            onClick={() => decide({ about, choice: open, product })}
          >
            {choiceLabel(about, open)}
          </SmallHintedButton>
        ))}
    </div>
  );
}

type MadeProps = {
  words: string;
  /** The accessible name of the button that takes the decision back. */
  takeBack: string;
  deciding: ReturnType<typeof usePlanDecision>;
  onTakeBack: () => void;
};

export const MadeDecision = ({ words, takeBack, deciding: { pending, reason }, onTakeBack }: MadeProps) => (
  <>
    <BodyText className={`row-wrap numbers ${classes.made}`}>
      <IconCheck size={16} aria-hidden /> {words}
    </BodyText>
    <TextHintedButton
      aria-label={takeBack}
      reason={pending === 'none' ? null : reason}
      loading={pending === 'none'}
      onClick={onTakeBack}
    >
      Take Back
    </TextHintedButton>
  </>
);

type AllChangesProps = { importId: string; product: number; meanwhile: ReactNode };

const AllChanges = ({ importId, product, meanwhile }: AllChangesProps) => (
  <ReadView of={usePlannedProduct(importId, product)} what="the differences" meanwhile={meanwhile}>
    {(planned) => <Differences {...planned} />}
  </ReadView>
);

const forYou = 'Changed in the store, for you to decide';

function Differences(planned: Reply<'getPlannedProduct'>) {
  const { outcome, asked, images, sent } = planned;
  const differences = unasked(planned);
  if (asked.length + differences.length === 0) {
    return (
      <QuietText>
        {outcome === 'unchanged'
          ? 'The store has what the push would send.'
          : 'There are no differences to show.'}
      </QuietText>
    );
  }
  return (
    <>
      {asked.length > 0 && <BodyText fw={600}>{forYou}</BodyText>}
      <Changes label={forYou} changes={asked} isSent={false} images={images} />
      <Changes label="Differences" changes={differences} isSent={sent} images={images} />
    </>
  );
}

type ChangesProps = {
  label: string;
  changes: readonly Difference[];
  /** True if the push sends the values of this import, false if it keeps those in the store. */
  isSent: boolean;
  images?: Reply<'getPlannedProduct'>['images'];
};

const Changes = ({ label, changes, ...of }: ChangesProps) =>
  changes.length === 0 ? null : (
    <ul className={`list ${classes.changes}`} aria-label={label}>
      {changes.map((change) => (
        <li key={`${change.part} ${change.name}`} className={`${classes.change} row-wrap gap-x-sm`}>
          <span className={`${classes.part} dim break-words`}>{valueLabel(change)}</span>
          {change.store === null && change.push === null ? 'changed' : <BothSides change={change} {...of} />}
        </li>
      ))}
    </ul>
  );

type Side = 'store' | 'push';

/** A value with more characters is collapsed by default. */
const foldedCharsMin = 600;

type BothSidesProps = Pick<ChangesProps, 'isSent' | 'images'> & { change: Difference };

function BothSides({ change, isSent, images }: BothSidesProps) {
  const { part } = change;
  const [store, push] = useMemo(
    () => shownTexts(part, change.store, change.push),
    [part, change.store, change.push],
  );
  const isLong = Math.max(store?.length ?? 0, push?.length ?? 0) > foldedCharsMin;
  const [isWhole, setWhole] = useState(!isLong);
  const names = { store: 'In the store', push: isSent ? 'After the push' : 'In this import' };
  const side = (which: Side, text: string | null, other: string | null) => (
    <div>
      {/* Visually hidden for a value that is sent, because the column heads already label both sides. */}
      <dt className={isSent ? 'visually-hidden' : 'small'}>{names[which]}</dt>
      <dd dir="auto" data-folded={!isWhole || undefined}>
        {part === 'images' && images !== undefined ? (
          <Images images={images[which]} />
        ) : text === null ? (
          <span className="dim">none</span>
        ) : (
          <Marked text={text} other={other} as={which === 'store' ? 'del' : 'ins'} />
        )}
      </dd>
    </div>
  );
  return (
    <div className={classes.sides}>
      <dl className="grid flush" data-sent={isSent || undefined}>
        {side('store', store, push)}
        {side('push', push, store)}
      </dl>
      {isLong && (
        <SubtleButton size="compact-xs" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show Less' : 'Show All'}
        </SubtleButton>
      )}
    </div>
  );
}

const Images = ({ images }: { images: Reply<'getPlannedProduct'>['images'][Side] }) => (
  <span className="row-wrap">
    {images.map((image, at) => {
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
            fallback={<span className={`${classes.noImage} small break-words`}>{alt}</span>}
          />
        </span>
      );
    })}
  </span>
);

/** Returns both descriptions as text, or as HTML if they differ only in markup. Returns other parts unchanged. */
function shownTexts(part: string, store: string | null, push: string | null): [string | null, string | null] {
  if (part !== 'description') return [store, push];
  const texts = [store && textOfHtml(store), push && textOfHtml(push)] as [string | null, string | null];
  return texts[0] === texts[1] ? [store, push] : texts;
}

/** A single word, such as a price, is marked as a whole. */
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

/** Returns the text with a line break after each block. Parsing loads no resources and runs no scripts. */
function textOfHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const block of body.querySelectorAll(blocks)) block.after('\n');
  return (body.textContent ?? '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}
