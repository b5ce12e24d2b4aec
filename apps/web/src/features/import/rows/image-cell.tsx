import type { Row } from '@draftshelf/contract/review/rows';
import { picturesOf } from '@draftshelf/domain/products/images';
import { UnstyledButton } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { createStore } from '../../../lib/storage.ts';
import { Hint } from '../../../ui/hint.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { useTabStop } from '../../../ui/table/tab-stops.tsx';
import { foundValueWords, imageLookupWords } from '../lookups/lookup-words.ts';
import { findPictureFailure } from '../product/picture-order.ts';
import { toOpenerAttributes, useOpenProduct } from '../product/product-buttons.tsx';
import { findRowTitle } from '../product/product-dialogs.tsx';
import classes from './row-table.module.css';

/**
 * A row's picture. 'Invalid': not a web URL, or a host that is not allowed. 'Failed': does not load, failed the
 * server's check, or is not checked yet. A hint shows the reason, because a second line would make the rows higher.
 */
export function ImageCell({ row }: { row: Row }) {
  const [broken, setBroken] = useState(false);
  const open = useOpenProduct(row, 'images');
  const stop = useTabStop();
  const { image, sources, values } = row;
  if (!values.image) {
    const lookup = image?.lookup ?? null;
    const missing = lookup === null ? editedWord(row) && 'Edited.' : imageLookupWords(lookup, Date.now());
    return <Placeholder row={row} text="No Image" words={missing} />;
  }
  const [picture] = picturesOf({ image: values.image });
  if (picture === undefined || image?.state === 'invalid')
    return <Placeholder row={row} text="Invalid" words={image?.reason ?? null} />;
  const { src } = picture;
  const failure = findPictureFailure(src, image, broken);
  const count = picturesOf(values).length;
  const edited = editedWord(row);
  const isFound = sources.image === 'found';
  const words = [
    ...(failure === null ? [] : ['Failed.', ...(failure.reason === null ? [] : [failure.reason])]),
    ...(isFound ? [`Filled in. ${foundValueWords(row, 'image')}`] : []),
  ].join(' ');
  const label = [
    `Image of ${findRowTitle(row)}`,
    failure !== null && 'failed to load',
    count > 1 && countOf(count, 'picture'),
    edited,
  ]
    .filter(Boolean)
    .join(', ');
  const button = (
    <button
      {...stop}
      type="button"
      className={`${classes.thumbnail} filled small center-grid surface-quiet relative`}
      aria-label={`${label}${isFound ? `. ${words}` : ''}`}
      data-found={isFound || undefined}
      data-count={count > 1 ? count : undefined}
      data-edited={edited}
      disabled={open === null}
      onClick={() => open?.()}
      {...toOpenerAttributes('images', row.row)}
    >
      {failure === null ? (
        <Picture
          src={src}
          isChecked={image?.state === 'ok'}
          fallback={null}
          onFailed={() => setBroken(true)}
        />
      ) : (
        // An icon instead of the word, because the word in 25 rows would distract from the values.
        <>
          <IconPhotoOff size={18} aria-hidden />
          <span ref={failure.byBrowser ? countBroken : null} className="visually-hidden">
            Failed
          </span>
        </>
      )}
    </button>
  );
  // Hints in all rows take a tenth of the time to render a page, so an empty hint is omitted.
  return words === '' ? button : <Hint text={words}>{button}</Hint>;
}

function editedWord({ sources, carried }: Row): 'edited' | 'yours' | null {
  const fields = (['image', 'moreImages'] as const).filter((field) => sources[field] === 'edit');
  if (fields.length === 0) return null;
  return fields.every((field) => carried?.[field]) ? 'yours' : 'edited';
}

function Placeholder({ row, text, words }: { row: Row; text: string; words: string | null }) {
  const open = useOpenProduct(row, 'images');
  const stop = useTabStop();
  if (open === null) return <span className={`${classes.noImage} small block`}>{text}</span>;
  const button = (
    <UnstyledButton
      {...stop}
      className={`${classes.noImage} small block`}
      data-explained={words !== null || undefined}
      aria-label={`${text}. ${words === null ? '' : `${words} `}Images of ${findRowTitle(row)}`}
      onClick={open}
      {...toOpenerAttributes('images', row.row)}
    >
      {text}
    </UnstyledButton>
  );
  return words === null ? button : <Hint text={words}>{button}</Hint>;
}

const brokenCount = createStore(0);
export const useBrokenPictureCount = brokenCount.use;

/** A ref callback that counts the element while the element is rendered. */
function countBroken(): () => void {
  brokenCount.set(brokenCount.get() + 1);
  return () => brokenCount.set(brokenCount.get() - 1);
}
