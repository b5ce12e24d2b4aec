import type { GoneProductsPlan } from '@draftshelf/contract/push/gone';
import { type GoneAction, goneActions } from '@draftshelf/domain/suppliers/gone';
import { Checkbox, Select, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagedReadOf } from '../../../api/call.ts';
import { formatCount } from '../../../lib/intl.ts';
import { changeMembership } from '../../../lib/range.ts';
import { BodyText, Button, PlainButton, QuietText } from '../../../ui/basics.tsx';
import { CallFailure, ErrorPanel, PagedList, ReadView } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { StoreLink } from '../notice.tsx';
import { isRunUnderWay, RunProgress, runsUnderWay, useStoreRun } from '../store-runs.tsx';
import {
  activeProductsWords,
  changeProductsLabel,
  countChangedProducts,
  goneActionLabels,
  goneSentences,
} from './gone-words.ts';
import classes from './list.module.css';
import { useMissingItems } from './list-api.ts';
import { itemWords, shownKey } from './list-words.ts';

type StepsProps = { importId: string; filename: string; count: number };

/** The steps for products that are no longer listed: the choice of items and of an action, the preview, and the run. */
export function GoneSteps({ importId, filename, count }: StepsProps) {
  const reading = useStoreRun('getGone', importId);
  const [isChoosing, setChoosing] = useState(false);
  return (
    <ReadView of={reading} what="what is planned" meanwhile={null}>
      {(gone) => {
        const { state, run } = gone;
        if (state === 'previewing' || isRunUnderWay(gone)) {
          return (
            <div className="stack">
              <RunProgress of={gone} doing="Changing" />
            </div>
          );
        }
        if (isChoosing || state === 'none' || (state === 'stopped' && run === null)) {
          return <Choice {...{ importId, count }} onPlanned={() => setChoosing(false)} />;
        }
        return <Planned {...{ importId, filename, gone }} onChoose={() => setChoosing(true)} />;
      }}
    </ReadView>
  );
}

/** The items and the action to choose. If the operator ticks no items, the action is planned for all items. */
function Choice({ importId, count, onPlanned }: Omit<StepsProps, 'filename'> & { onPlanned: () => void }) {
  const pages = useMissingItems(importId, true);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [action, setAction] = useState<GoneAction | null>(null);
  const planning = useCall('planGone', { params: { id: importId } });
  const plan = () =>
    action !== null &&
    planning.mutate(
      { body: { action, ...(ticked.size > 0 && { keys: [...ticked] }) } },
      { onSuccess: onPlanned },
    );
  const turn = (key: string) => setTicked((before) => changeMembership(before, [key], !before.has(key)));
  return (
    <div className="stack">
      <BodyText>
        Not in the latest lists. {count === 1 ? 'It stays' : 'They stay'} in the store until you choose what
        to do.
      </BodyText>
      <div className={`row-wrap ${classes.chooser}`}>
        <Select
          label={
            ticked.size > 0 ? `With the ${formatCount(ticked.size)} ticked` : `With all ${formatCount(count)}`
          }
          placeholder="Do nothing"
          data={goneActions.map((value) => ({ value, label: goneActionLabels[value] }))}
          value={action}
          onChange={setAction}
          clearable
        />
        <Button disabled={action === null} loading={planning.isPending} onClick={plan}>
          Plan
        </Button>
      </div>
      <QuietText>You’ll see the plan first.</QuietText>
      <CallFailure error={planning.error} title="Couldn’t plan it." />
      <PagedList of={pages} what="what is no longer listed" label="No longer listed">
        {({ items }) =>
          items.map((item) => {
            const { key, lastIn, status, storeUrl } = item;
            const name = item.title ?? shownKey(key);
            const inStore = status === null ? 'Not in the store' : `Last seen as ${status}`;
            return (
              <li key={key} className={`row ${classes.item} pad-y-tight line-below`}>
                <Checkbox
                  className="grow"
                  checked={ticked.has(key)}
                  onChange={() => turn(key)}
                  label={
                    <span dir="auto" className="break-words">
                      {name}
                    </span>
                  }
                  description={
                    <span className="numbers break-words">
                      {itemWords(item)}
                      {lastIn !== null && ` · last in ${lastIn}`} · {inStore}
                    </span>
                  }
                />
                {storeUrl !== null && <StoreLink url={storeUrl} name={name} />}
              </li>
            );
          })
        }
      </PagedList>
    </div>
  );
}

function Planned({
  importId,
  filename,
  gone,
  onChoose,
}: Omit<StepsProps, 'count'> & { gone: GoneProductsPlan; onChoose: () => void }) {
  const pushing = useCall('pushGone', {
    params: { id: importId },
    onSuccess: () => void runsUnderWay.set(importId, { run: 'getGone', filename }),
  });
  const { plan, state, action, message } = gone;
  const isDone = state !== 'ready' && gone.results.length > 0;
  const sums = isDone ? gone.results : gone.sums;
  const keeps = sums.some(({ end }) => end === 'keep');
  return (
    <div className="stack">
      {state === 'failed' && (
        <ErrorPanel title="It stopped.">{message ?? 'The store didn’t answer.'}</ErrorPanel>
      )}
      {action !== null && (
        <Text fw={550}>
          {isDone ? 'Done' : 'Plan'}: {goneActionLabels[action]}
        </Text>
      )}
      <ul className="list numbers" aria-label={isDone ? 'What was done' : 'What will be done'}>
        {goneSentences(sums, action, isDone).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {state === 'ready' && gone.onSale > 0 && <BodyText>{activeProductsWords(gone)}</BodyText>}
      {isDone && gone.run !== null && <BodyText>You can undo this with Undo Push in the ⋯ menu.</BodyText>}
      <CallFailure error={pushing.error} title="Couldn’t begin." />
      <div className="row-wrap">
        {state === 'ready' && plan !== null && countChangedProducts(gone) > 0 && (
          <Button loading={pushing.isPending} onClick={() => pushing.mutate({ body: { plan } })}>
            {changeProductsLabel(gone)}
          </Button>
        )}
        <PlainButton onClick={onChoose}>Choose Again</PlainButton>
      </div>
      {keeps && <Kept {...{ importId, isDone }} />}
    </div>
  );
}

function Kept({ importId, isDone }: { importId: string; isDone: boolean }) {
  const pages = useInfiniteQuery(
    pagedReadOf('listGoneProducts', { id: importId }, { end: 'keep', ...(isDone && { results: 'true' }) }),
  );
  return (
    <PagedList of={pages} what="what stays" label="These stay as they are">
      {({ products }) =>
        products.map(({ line, key, title, message, storeUrl }) => (
          <ItemLine key={line} name={title ?? shownKey(key)} words={message} storeUrl={storeUrl} />
        ))
      }
    </PagedList>
  );
}

type ItemLineProps = { name: string; title?: string; words: string | null; storeUrl: string | null };

/** `title`: the text to show instead of the name, which then only labels the link to the store. */
export const ItemLine = ({ name, title = name, words, storeUrl }: ItemLineProps) => (
  <li className={`row ${classes.item} pad-y-tight line-below`}>
    <div className="grow">
      <BodyText fw={550} dir="auto" className="break-words">
        {title}
      </BodyText>
      <QuietText className="numbers break-words">{words}</QuietText>
    </div>
    {storeUrl !== null && <StoreLink url={storeUrl} name={name} />}
  </li>
);
