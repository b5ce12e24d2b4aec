import type { Feed } from '@draftshelf/contract/suppliers/feeds';
import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { Group, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { importPath } from '../../lib/paths.ts';
import { BodyText, CutLink, PlainButton, QuietText, RelativeTime, SubtleButton } from '../../ui/basics.tsx';
import { Asked } from '../../ui/feedback/confirm.tsx';
import { ErrorPanel, FoldOut, Read } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { ReasonedButton, TitledSection } from '../../ui/hint.tsx';
import { FeedForm, type Timing, TimingFields, usualTiming } from './feed-form.tsx';
import classes from './suppliers.module.css';
import { useFeed } from './suppliers-api.ts';

/** The address from which a supplier's lists come by themselves. */
export function SupplierFeed({ supplier: { id, name } }: { supplier: SupplierDetails }) {
  const reading = useFeed(id);
  return (
    <TitledSection id="address" title="Address of the list" gap="xs">
      <Read of={reading} what="the address" meanwhile={<Skeleton height={120} aria-hidden />}>
        {({ feed }) =>
          feed === null ? <NewFeed id={id} feed={null} /> : <SavedFeed id={id} name={name} feed={feed} />
        }
      </Read>
    </TitledSection>
  );
}

function NewFeed({ id, feed, onDone }: { id: number; feed: Feed | null; onDone?: () => void }) {
  const [timing, setTiming] = useState<Timing>(feed ?? usualTiming());
  const saving = useCall('saveFeed', { params: { id }, failed: 'Couldn’t save the address' });
  const save = (test: string) =>
    saving.mutate(
      { body: { test, schedule: timing.schedule, zone: timing.zone } },
      { onSuccess: () => onDone?.() },
    );
  return (
    <FeedForm supplier={id} feed={feed}>
      {(tested) => (
        <>
          <TimingFields value={timing} onChange={setTiming} />
          <div>
            <ReasonedButton reason={null} loading={saving.isPending} onClick={() => save(tested.id)}>
              Save Address
            </ReasonedButton>
          </div>
        </>
      )}
    </FeedForm>
  );
}

function SavedFeed({ id, name, feed }: { id: number; name: string; feed: Feed }) {
  const [isChanging, setChanging] = useState(false);
  const fetching = useCall('fetchFeed', { params: { id }, failed: 'Couldn’t fetch the list' });
  const saving = useCall('saveFeed', { params: { id }, failed: 'Couldn’t save the schedule' });
  const removing = useCall('removeFeed', { params: { id }, failed: 'Couldn’t remove the address' });
  const { trouble, isFetching } = feed;
  return (
    <>
      <BodyText className="break-words" dir="ltr">
        {feed.address}
      </BodyText>
      <QuietText className="numbers" role="status">
        <FeedState feed={feed} />
      </QuietText>
      {trouble !== null && (
        <ErrorPanel title={trouble.sentence} cause={trouble.cause} tone="warning">
          <BodyText>
            Nothing was pushed, and the last list stays. It failed first <RelativeTime time={trouble.since} />
            {feed.nextAt !== null && (
              <>
                {' '}
                and is tried again <RelativeTime time={feed.nextAt} />
              </>
            )}
            .
          </BodyText>
        </ErrorPanel>
      )}
      <TimingFields
        value={feed}
        onChange={({ schedule }) =>
          saving.mutate({ body: { test: null, schedule, zone: usualTiming().zone } })
        }
      />
      <Group gap="xs">
        <PlainButton loading={fetching.isPending || isFetching} onClick={() => fetching.mutate({})}>
          Fetch Now
        </PlainButton>
        <SubtleButton color="gray" aria-expanded={isChanging} onClick={() => setChanging(!isChanging)}>
          Change Address
        </SubtleButton>
        <Asked
          title="Remove the address?"
          confirm="Remove Address"
          keep="Keep It"
          onConfirm={() => removing.mutate({})}
          button={(ask) => (
            <SubtleButton color="gray" aria-haspopup="dialog" onClick={ask}>
              Remove Address
            </SubtleButton>
          )}
        >
          The lists of {name} no longer come by themselves, and the saved sign-in is forgotten. Lists that
          came from the address stay.
        </Asked>
      </Group>
      {isChanging && <NewFeed id={id} feed={feed} onDone={() => setChanging(false)} />}
      <FeedMode id={id} feed={feed} />
      <FeedFetches feed={feed} />
    </>
  );
}

function FeedState({ feed: { isFetching, fetchedAt, foundAt, nextAt, trouble } }: { feed: Feed }) {
  if (isFetching) return 'Fetching the list…';
  return (
    <>
      {fetchedAt === null ? 'Not fetched yet' : 'Last fetched '}
      {fetchedAt !== null && <RelativeTime time={fetchedAt} />}
      {foundAt !== null && foundAt !== fetchedAt && (
        <>
          , unchanged since <RelativeTime time={foundAt} />
        </>
      )}
      {nextAt !== null && trouble === null && (
        <>
          {' · next '}
          <RelativeTime time={nextAt} />
        </>
      )}
    </>
  );
}

/** Full auto is offered once a person has pushed enough lists as planned. */
function FeedMode({ id, feed }: { id: number; feed: Feed }) {
  const changing = useCall('changeFeedMode', { params: { id }, failed: 'Couldn’t change it' });
  const { runsItself, mayRunItself, agreed, itselfEnded } = feed;
  const change = (to: boolean) => changing.mutate({ body: { runsItself: to } });
  if (runsItself) {
    return (
      <Group gap="xs">
        <BodyText>Its lists are pushed by themselves, unless a check of full auto holds one.</BodyText>
        <PlainButton loading={changing.isPending} onClick={() => change(false)}>
          Wait for Me Again
        </PlainButton>
      </Group>
    );
  }
  return (
    <>
      {itselfEnded !== null && (
        <BodyText className="break-words">Its lists wait for you again. {itselfEnded}</BodyText>
      )}
      {agreed > 0 && (
        <Group gap="xs">
          <BodyText>{agreedWords(agreed)}</BodyText>
          {mayRunItself && (
            <PlainButton loading={changing.isPending} onClick={() => change(true)}>
              Push by Itself from Now On
            </PlainButton>
          )}
        </Group>
      )}
    </>
  );
}

const agreedWords = (lists: number): string =>
  lists === 1
    ? 'You pushed the last list exactly as it was planned.'
    : `You pushed the last ${lists} lists exactly as they were planned.`;

const resultWords = {
  taken: 'Imported',
  same: 'Same content as an earlier import',
  failed: 'Not fetched',
} as const;

function FeedFetches({ feed: { fetches } }: { feed: Feed }) {
  if (fetches.length === 0) return null;
  return (
    <ul className="list" aria-label="Last fetches">
      {fetches.map(({ id, at, result, importId, filename, sentence, cause, replaced, agreed }) => (
        <li key={id} className={`row ${classes.line} pad-y-tight line-below`}>
          <div className={`grow ${classes.fetched}`}>
            {filename !== null && <CutLink to={importId && importPath(importId)}>{filename}</CutLink>}
            <BodyText component="div" className="break-words">
              {sentence ??
                (replaced
                  ? 'Replaced by a newer list'
                  : agreed === 'equal'
                    ? 'Pushed as planned'
                    : resultWords[result])}
            </BodyText>
            {cause !== null && <FoldOut text={cause} />}
          </div>
          <QuietText className="numbers rigid">
            <RelativeTime time={at} />
          </QuietText>
        </li>
      ))}
    </ul>
  );
}
