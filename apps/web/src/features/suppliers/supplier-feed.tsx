import type { Feed } from '@draftshelf/contract/suppliers/feeds';
import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { Group, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { importPath } from '../../lib/paths.ts';
import {
  BodyText,
  EllipsisLink,
  PlainButton,
  QuietText,
  RelativeTime,
  SubtleButton,
} from '../../ui/basics.tsx';
import { ConfirmedButton } from '../../ui/feedback/confirm.tsx';
import { ErrorPanel, FoldedText, ReadView } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { TitledSection } from '../../ui/hint.tsx';
import { FeedForm, readTimeZone, TimingFields } from './feed-form.tsx';
import classes from './suppliers.module.css';
import { useFeed } from './suppliers-api.ts';

/** The address from which the lists of a supplier are fetched. */
export function SupplierFeed({ supplier: { id, name } }: { supplier: SupplierDetails }) {
  const reading = useFeed(id);
  return (
    <TitledSection id="address" title="Address of the list" gap="xs">
      <ReadView of={reading} what="the address" meanwhile={<Skeleton height={120} aria-hidden />}>
        {({ feed }) =>
          feed === null ? (
            <FeedForm supplier={id} feed={null} onKept={() => {}} />
          ) : (
            <SavedFeed id={id} name={name} feed={feed} />
          )
        }
      </ReadView>
    </TitledSection>
  );
}

function SavedFeed({ id, name, feed }: { id: number; name: string; feed: Feed }) {
  const [isChanging, setChanging] = useState(false);
  const fetching = useCall('fetchFeed', { params: { id }, failed: 'Couldn’t fetch the list' });
  const changing = useCall('changeFeed', { params: { id }, failed: 'Couldn’t change it' });
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
            Nothing was pushed, and the last list stays.
            <At words=" Fetching first failed " time={trouble.since} />
            <At words=" and is tried again " time={feed.nextAt} />.
          </BodyText>
        </ErrorPanel>
      )}
      <TimingFields
        value={feed}
        onChange={({ schedule }) => changing.mutate({ body: { schedule, zone: readTimeZone() } })}
      />
      <Group gap="xs">
        <PlainButton loading={fetching.isPending || isFetching} onClick={() => fetching.mutate({})}>
          Fetch Now
        </PlainButton>
        <SubtleButton color="gray" aria-expanded={isChanging} onClick={() => setChanging(!isChanging)}>
          Change Address
        </SubtleButton>
        <ConfirmedButton
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
          The lists of {name} are no longer fetched, and the saved sign-in is deleted. Lists that came from
          the address stay.
        </ConfirmedButton>
      </Group>
      {isChanging && <FeedForm supplier={id} feed={feed} onKept={() => setChanging(false)} />}
      <FeedMode
        feed={feed}
        isChanging={changing.isPending}
        onChange={(runsItself) => changing.mutate({ body: { runsItself } })}
      />
      <FeedFetches feed={feed} />
    </>
  );
}

const At = ({ words, time }: { words: string; time: string | null }) =>
  time !== null && (
    <>
      {words}
      <RelativeTime time={time} />
    </>
  );

function FeedState({ feed: { isFetching, fetchedAt, foundAt, nextAt, trouble } }: { feed: Feed }) {
  if (isFetching) return 'Fetching the list…';
  return (
    <>
      {fetchedAt === null && 'Not fetched yet'}
      <At words="Last fetched " time={fetchedAt} />
      <At words=", unchanged since " time={foundAt === fetchedAt ? null : foundAt} />
      <At words=" · next " time={trouble === null ? nextAt : null} />
    </>
  );
}

type FeedModeProps = { feed: Feed; isChanging: boolean; onChange: (runsItself: boolean) => void };

/** Full auto is offered once a person has pushed enough lists as planned. */
function FeedMode({ feed, isChanging, onChange }: FeedModeProps) {
  const { runsItself, mayRunItself, agreed, itselfEnded } = feed;
  const words = runsItself
    ? 'Lists are pushed automatically, unless a check of full auto holds one back.'
    : agreed > 0 && agreedWords(agreed);
  return (
    <>
      {itselfEnded !== null && (
        <BodyText className="break-words">
          From now on, lists wait until you push them. {itselfEnded}
        </BodyText>
      )}
      {words && (
        <Group gap="xs">
          <BodyText>{words}</BodyText>
          {(runsItself || mayRunItself) && (
            <PlainButton loading={isChanging} onClick={() => onChange(!runsItself)}>
              {runsItself ? 'Wait for Me Again' : 'Push by Itself from Now On'}
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
            {filename !== null && (
              <EllipsisLink to={importId && importPath(importId)}>{filename}</EllipsisLink>
            )}
            <BodyText component="div" className="break-words">
              {sentence ??
                (replaced
                  ? 'Replaced by a newer list'
                  : agreed === 'equal'
                    ? 'Pushed as planned'
                    : resultWords[result])}
            </BodyText>
            {cause !== null && <FoldedText text={cause} />}
          </div>
          <QuietText className="numbers rigid">
            <RelativeTime time={at} />
          </QuietText>
        </li>
      ))}
    </ul>
  );
}
