import type { Row } from '@draftshelf/contract/review/rows';
import { picturesOf } from '@draftshelf/domain/products/images';
import { UnstyledButton } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import { pictureRefusal } from '../../../lib/picture-refusal.ts';
import { Hint } from '../../../ui/hint.tsx';
import { overlay } from '../../../ui/later.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { foundWords, waitingWords } from '../lookups/lookup-words.ts';
import { useBrokenMark } from './broken-pictures.ts';
import classes from './row-table.module.css';

const ImageDialog = overlay(() => import('./image-dialog.tsx').then((chunk) => chunk.ImageDialog));

/**
 * The first image of a row; else 'No Image', 'Invalid' if it is not a web URL or on a host that is not allowed, or
 * 'Failed' if it does not load, has failed the server's check, or is not loaded before one. A hint has the reason, the
 * source of a found image, or the state of a look-up: a second line would make the rows higher.
 */
export function ImageCell({ row }: { row: Row }) {
  const [broken, setBroken] = useState(false);
  const [open, setOpen] = useState(false);
  const text = row.values.image ?? '';
  if (text === '') return <NoImage row={row} />;
  const picture = pictureOf(row, broken);
  if (picture === null) return <Placeholder text="Invalid" words={row.image?.reason ?? null} />;
  const { url, isChecked, failed, reason, isBroken } = picture;
  const name = row.values.title || 'this row';
  const isFound = row.sources.image === 'found';
  const words = [
    ...(failed ? ['Failed.', ...(reason === null ? [] : [reason])] : []),
    ...(isFound ? [`Filled in. ${foundWords(row, 'image')}`] : []),
  ].join(' ');
  const button = (
    <button
      type="button"
      className={classes.thumbnail}
      aria-label={`Image of ${name}${failed ? ', failed to load' : ''}${isFound ? `. ${words}` : ''}`}
      data-found={isFound || undefined}
      onClick={() => setOpen(true)}
    >
      {failed ? (
        <FailedImage isBroken={isBroken} />
      ) : (
        <Picture src={url} isChecked={isChecked} fallback={null} onFailed={() => setBroken(true)} />
      )}
    </button>
  );
  return (
    <>
      {/* An empty hint in every row takes a tenth of the time in which a page of rows is drawn. */}
      {words === '' ? button : <Hint text={words}>{button}</Hint>}
      <ImageDialog
        opened={open}
        {...{ url, name, failed, isChecked, reason }}
        onFailed={() => setBroken(true)}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

/** An icon in place of the picture: in words, 25 rows would say it louder than the values beside it. */
export function FailedImage({ isBroken }: { isBroken: boolean }) {
  useBrokenMark(isBroken);
  return (
    <>
      <IconPhotoOff size={18} aria-hidden />
      <span className="visually-hidden">Failed</span>
    </>
  );
}

const brokenWords =
  'Your browser couldn’t load the image. The store fetches images itself, so it may have this one.';

/**
 * The first image of a row, and why it is not shown; null if it is not valid. `broken`: it did not load. `isBroken`: of
 * the image nothing is known but that.
 */
export function pictureOf({ image, values }: Row, broken: boolean) {
  const url = picturesOf({ image: values.image ?? '' })[0]?.src;
  if (url === undefined || image?.state === 'invalid') return null;
  const isChecked = image?.state === 'ok';
  const refusal = pictureRefusal(url, { isChecked, origin: location.origin });
  const isRefused = image?.state === 'failed' || refusal !== null;
  const reason = image?.reason ?? refusal ?? (broken ? brokenWords : null);
  return { url, isChecked, failed: broken || isRefused, reason, isBroken: broken && !isRefused };
}

function NoImage({ row }: { row: Row }) {
  const lookup = row.image?.lookup ?? null;
  return <Placeholder text="No Image" words={lookup === null ? null : waitingWords(lookup, Date.now())} />;
}

/** Text in place of an image, with an explanation on hover, focus and touch. */
function Placeholder({ text, words }: { text: string; words: string | null }) {
  if (words === null) return <span className={classes.noImage}>{text}</span>;
  return (
    <Hint text={words}>
      <UnstyledButton className={classes.noImage} data-explained aria-label={`${text}. ${words}`}>
        {text}
      </UnstyledButton>
    </Hint>
  );
}
