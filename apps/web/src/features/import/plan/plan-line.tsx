import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import { choiceLabel } from '@draftshelf/domain/push/choice-labels';
import { isDecidedSince } from '@draftshelf/domain/push/decided-since';
import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { rememberStore } from '../../../lib/storage.ts';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { BodyText, OutsideLink, QuietText } from '../../../ui/text.tsx';
import { LookBadge, outcomeLooks } from '../status/status-look.tsx';
import classes from './plan.module.css';
import { useDecide } from './plan-api.ts';
import { PlanDifferences } from './plan-differences.tsx';
import { choiceEffect, otherwiseWords, partsWords, willWords } from './plan-words.ts';

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
  const isOfEarlier = isDecidedSince(product);
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
      <Reasons product={product} isOfEarlier={isOfEarlier} />
      {!isOver && <LineChoices importId={importId} product={product} title={title} />}
      <div id={differences} className={classes.opened}>
        {isOpen && (
          <PlanDifferences importId={importId} product={product.product} outcome={product.outcome} />
        )}
      </div>
    </li>
  );
}

type ReasonsProps = {
  product: PlannedProduct;
  /** A later decision has changed the product's outcome. */
  isOfEarlier: boolean;
};

function Reasons({ product, isOfEarlier }: ReasonsProps) {
  const { outcome, message, parts, edited, otherwise } = product;
  return (
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
  );
}

type LineChoicesProps = { importId: string; product: PlannedProduct; title: string };

function LineChoices(props: LineChoicesProps) {
  const { about, choices, choice } = props.product;
  const id = useId();
  if (about === null || choices.length === 0) return null;
  return (
    // The buttons and the decision replace each other.
    <div className={`row-wrap ${classes.choices}`} id={id} data-focus-next={`#${id} button`}>
      {choice === null ? (
        <OpenChoices {...props} about={about} />
      ) : (
        <MadeChoice {...props} words={choiceLabel(about, choice)} about={about} />
      )}
    </div>
  );
}

type AboutProps = LineChoicesProps & { about: NonNullable<PlannedProduct['about']> };

function OpenChoices({ importId, product: { product, choices }, about, title }: AboutProps) {
  const { decide, reason, pending } = useDecide(importId);
  return choices.map((choice) => (
    <ReasonedButton
      key={choice}
      size="compact-sm"
      variant="default"
      hint={choiceEffect(about, choice)}
      aria-label={`${choiceLabel(about, choice)}: ${title}`}
      reason={pending === choice ? null : reason}
      loading={pending === choice}
      onClick={() => decide({ about, choice, product })}
    >
      {choiceLabel(about, choice)}
    </ReasonedButton>
  ));
}

function MadeChoice({ importId, product: { product }, about, title, words }: AboutProps & { words: string }) {
  const { decide, reason, pending } = useDecide(importId);
  return (
    <>
      <BodyText className={`row-wrap ${classes.made}`}>
        <IconCheck size={16} aria-hidden /> Decided: {words}
      </BodyText>
      <ReasonedButton
        size="compact-sm"
        variant="subtle"
        aria-label={`Take back the decision about ${title}`}
        reason={pending === 'none' ? null : reason}
        loading={pending === 'none'}
        onClick={() => decide({ about, choice: null, product })}
      >
        Take Back
      </ReasonedButton>
    </>
  );
}
