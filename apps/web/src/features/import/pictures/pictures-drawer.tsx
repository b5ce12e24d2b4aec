import { Anchor, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Reply, urlOfEndpoint } from '../../../api/call.ts';
import { pagesOf, pollMs, readOf } from '../../../api/read.ts';
import { formatCount } from '../../../lib/intl.ts';
import { SmallButton, TextButton } from '../../../ui/button.tsx';
import { PagedList } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { ViewDrawer } from '../../../ui/overlays.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { BodyText, QuietText } from '../../../ui/text.tsx';
import { useSavedToast } from '../edits/use-undo.ts';
import classes from '../import.module.css';

type PicturesProps = { importId: string; counts: PictureCounts };

export const PicturesDrawer = ({
  opened,
  onClose,
  ...props
}: PicturesProps & { opened: boolean; onClose: () => void }) => (
  <ViewDrawer opened={opened} title="Pictures in the file" width={560} onClose={onClose}>
    <Pictures {...props} />
  </ViewDrawer>
);

const stateWords: Record<PictureState, string> = {
  unmatched: 'No product',
  refused: 'Not readable',
  matched: 'Matched',
  waiting: 'Waiting',
};
const states = Object.keys(stateWords) as PictureState[];

function Pictures({ importId, counts }: PicturesProps) {
  const shown = states.filter((state) => counts[state] > 0);
  const [chosen, setChosen] = useState<PictureState | null>(null);
  // The last picture of a state may have got a product.
  const state = shown.find((one) => one === chosen) ?? shown[0] ?? 'matched';
  const pages = usePictures(importId, state);
  return (
    <div className="stack">
      <SegmentedControl
        aria-label="Pictures"
        value={state}
        onChange={(value) => setChosen(value as PictureState)}
        data={shown.map((one) => ({ value: one, label: `${stateWords[one]} ${formatCount(counts[one])}` }))}
      />
      <BodyText>
        <Anchor href={picturesUrl(importId)} download inherit underline="always">
          Download list (CSV)
        </Anchor>
      </BodyText>
      <PagedList of={pages} what="the pictures" label="Pictures in the file">
        {({ pictures }) =>
          pictures.map((picture) => <PictureLine key={picture.n} importId={importId} picture={picture} />)
        }
      </PagedList>
    </div>
  );
}

function PictureLine({ importId, picture }: { importId: string; picture: ShownPicture }) {
  const { entry, photo, row, title, reason, state } = picture;
  const [isChoosing, setChoosing] = useState(false);
  const none = <span className={`${classes.photo} rigid`} aria-hidden />;
  return (
    <li className="pad-y-tight line-below">
      <div className="row">
        {photo === null ? none : <Picture src={photo} className={`${classes.photo} rigid`} fallback={none} />}
        <div className="grow">
          <BodyText dir="auto" className="break-words">
            {entry}
          </BodyText>
          {row !== null && (
            <QuietText className="numbers break-words">
              Row {row}: {title ?? 'No title'}
            </QuietText>
          )}
          {reason !== null && <QuietText className="break-words">{reason}</QuietText>}
        </div>
        {state === 'unmatched' && !isChoosing && (
          <SmallButton aria-label={`Choose Product: ${entry}`} onClick={() => setChoosing(true)}>
            Choose Product
          </SmallButton>
        )}
      </div>
      {isChoosing && <PictureProduct {...{ importId, picture }} onDone={() => setChoosing(false)} />}
    </li>
  );
}

const typingPauseMs = 250;

type PictureProductProps = { importId: string; picture: ShownPicture; onDone: () => void };

function PictureProduct({ importId, picture: { n, entry }, onDone }: PictureProductProps) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), typingPauseMs);
  const { data } = useFoundRows(importId, q);
  const choice = useCall('chooseProduct', { params: { id: importId, n } });
  const showSaved = useSavedToast(importId);
  const choose = async (row: number, run: number) => {
    // The error is shown below.
    const saved = await choice.mutateAsync({ body: { row, run } }).catch(() => undefined);
    if (saved === undefined) return;
    showSaved([saved]);
    onDone();
  };
  return (
    <div className="stack">
      <TextInput
        aria-label={`Product of ${entry}`}
        placeholder="Title, SKU or UPC"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      {q.length >= 3 && data !== undefined && (
        <ul className="list" aria-label="Products found">
          {data.rows.length === 0 && (
            <li>
              <BodyText>No product is found.</BodyText>
            </li>
          )}
          {data.rows.map(({ row, values }) => (
            <li key={row}>
              <TextButton
                color="gray"
                loading={choice.isPending && choice.variables.body?.row === row}
                onClick={() => void choose(row, data.run)}
              >
                Row {row}: {values.title ?? 'No title'}
              </TextButton>
            </li>
          ))}
        </ul>
      )}
      {choice.isError && <BodyText role="alert">{choice.error.message}</BodyText>}
    </div>
  );
}

export type PictureCounts = Reply<'listPictures'>['counts'];
export type ShownPicture = Reply<'listPictures'>['pictures'][number];
export type PictureState = ShownPicture['state'];

const foundMax = 6;

export const usePictureCounts = (importId: string) =>
  useQuery({
    ...readOf('listPictures', { params: { id: importId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.counts.waiting ?? 1) > 0 ? pollMs.pictures : false),
  });

export const usePictures = (importId: string, state: PictureState) =>
  useInfiniteQuery(pagesOf('listPictures', { id: importId }, { state }));

export const useFoundRows = (importId: string, q: string) =>
  useQuery({
    ...readOf('listRows', { params: { id: importId }, query: { q, limit: foundMax } }),
    enabled: q.length >= 3,
    placeholderData: keepPreviousData,
  });

export const picturesUrl = (importId: string): string => urlOfEndpoint('getPicturesCsv', { id: importId });
