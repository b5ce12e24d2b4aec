import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { ViewDrawer } from '../../../ui/editor-drawer.tsx';
import { PagedList } from '../../../ui/paged-list.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { PictureProduct } from './picture-product.tsx';
import classes from './pictures.module.css';
import {
  type PictureCounts,
  type PictureState,
  picturesUrl,
  type ShownPicture,
  usePictures,
} from './pictures-api.ts';

type PicturesProps = { importId: string; counts: PictureCounts };

/** The pictures of an import's file, over the page. */
export function PicturesDrawer({
  opened,
  onClose,
  ...props
}: PicturesProps & { opened: boolean; onClose: () => void }) {
  return (
    <ViewDrawer opened={opened} title="Pictures in the file" width={560} onClose={onClose}>
      <Pictures {...props} />
    </ViewDrawer>
  );
}

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
  // The last picture of a state may have been given a product.
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
      <Text size="sm">
        <Anchor href={picturesUrl(importId)} download inherit underline="always">
          Download list (CSV)
        </Anchor>
      </Text>
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
  const none = <span className={classes.photo} aria-hidden />;
  return (
    <li className={classes.line}>
      <div className="row">
        {photo === null ? none : <Picture src={photo} className={classes.photo} fallback={none} />}
        <div className="grow">
          <Text size="sm" dir="auto" className="break-words">
            {entry}
          </Text>
          {row !== null && (
            <Text size="sm" c="dimmed" className="numbers break-words">
              Row {row}: {title ?? 'No title'}
            </Text>
          )}
          {reason !== null && (
            <Text size="sm" c="dimmed" className="break-words">
              {reason}
            </Text>
          )}
        </div>
        {state === 'unmatched' && !isChoosing && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Choose Product: ${entry}`}
            onClick={() => setChoosing(true)}
          >
            Choose Product
          </Button>
        )}
      </div>
      {isChoosing && <PictureProduct {...{ importId, picture }} onDone={() => setChoosing(false)} />}
    </li>
  );
}
