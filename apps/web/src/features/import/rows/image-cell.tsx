import type { Row } from '@draftshelf/contract/review/rows';
import { picturesOf } from '@draftshelf/domain/products/images';
import { UnstyledButton } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import { Hint } from '../../../ui/hint.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { foundWords, waitingWords } from '../lookups/lookup-words.ts';
import { pictureFailure } from '../product/picture-failure.ts';
import { useOpenProductOf } from '../product/product-buttons.tsx';
import { openerMark } from '../product/product-dialogs.tsx';
import { useBrokenMark } from './broken-pictures.ts';
import classes from './row-table.module.css';

/**
 * The first image of a row; else 'No Image', 'Invalid' if it is not a web URL or on a host that is not allowed, or
 * 'Failed' if it does not load, has failed the server's check, or is not loaded before one. A hint has the reason, the
 * source of a found image, or the state of a look-up: a second line would make the rows higher. It opens all images.
 */
export function ImageCell({ row }: { row: Row }) {
  const [broken, setBroken] = useState(false);
  const open = useOpenProductOf(row, 'images');
  const text = row.values.image ?? '';
  if (text === '') return <NoImage row={row} />;
  const picture = pictureOf(row, broken);
  if (picture === null) return <Placeholder row={row} text="Invalid" words={row.image?.reason ?? null} />;
  const { url, isChecked, failure } = picture;
  const isFound = row.sources.image === 'found';
  const words = [
    ...(failure === null ? [] : ['Failed.', ...(failure.reason === null ? [] : [failure.reason])]),
    ...(isFound ? [`Filled in. ${foundWords(row, 'image')}`] : []),
  ].join(' ');
  const button = (
    <button
      type="button"
      className={classes.thumbnail}
      aria-label={`Image of ${row.values.title || 'this row'}${failure === null ? '' : ', failed to load'}${isFound ? `. ${words}` : ''}`}
      data-found={isFound || undefined}
      disabled={open === null}
      onClick={() => open?.()}
      {...openerMark('images', row.row)}
    >
      {failure === null ? (
        <Picture src={url} isChecked={isChecked} fallback={null} onFailed={() => setBroken(true)} />
      ) : (
        <FailedImage isBroken={failure.byBrowser} />
      )}
    </button>
  );
  // An empty hint in every row takes a tenth of the time in which a page of rows is drawn.
  return words === '' ? button : <Hint text={words}>{button}</Hint>;
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

/** The first image of a row, and why it is not shown; null if it is not valid. `broken`: it did not load. */
export function pictureOf({ image, values }: Row, broken: boolean) {
  const url = picturesOf({ image: values.image ?? '' })[0]?.src;
  if (url === undefined || image?.state === 'invalid') return null;
  return { url, isChecked: image?.state === 'ok', failure: pictureFailure(url, image, broken) };
}

function NoImage({ row }: { row: Row }) {
  const lookup = row.image?.lookup ?? null;
  return <Placeholder row={row} text="No Image" words={lookup && waitingWords(lookup, Date.now())} />;
}

/** Text in place of an image, with an explanation on hover, focus and touch. */
function Placeholder({ row, text, words }: { row: Row; text: string; words: string | null }) {
  const open = useOpenProductOf(row, 'images');
  if (open === null) return <span className={classes.noImage}>{text}</span>;
  const button = (
    <UnstyledButton
      className={classes.noImage}
      data-explained={words !== null || undefined}
      aria-label={`${text}. ${words === null ? '' : `${words} `}Images of row ${row.row}`}
      onClick={open}
      {...openerMark('images', row.row)}
    >
      {text}
    </UnstyledButton>
  );
  return words === null ? button : <Hint text={words}>{button}</Hint>;
}
