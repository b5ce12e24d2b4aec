import { imageUrls } from '@draftshelf/domain/images';
import { Suspense, useState } from 'react';
import { lazily } from '../../../lib/load-chunk.ts';
import classes from './rows.module.css';

const ImageDialog = lazily(() => import('./image-dialog.tsx').then((chunk) => chunk.ImageDialog));

/** The first image of a row; else 'No Image', 'Invalid' if it is not a web URL, or 'Failed' if it does not load. */
export function ImageCell({ values, title }: { values: Record<string, string>; title: string }) {
  const [failed, setFailed] = useState(false);
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  const text = values.image ?? '';
  if (text === '') return <span className={classes.noImage}>No Image</span>;
  const url = imageUrls({ image: text })[0];
  if (url === undefined) return <span className={classes.noImage}>Invalid</span>;
  const name = title === '' ? 'this row' : title;
  return (
    <>
      <button
        type="button"
        className={classes.thumbnail}
        aria-label={`Image of ${name}${failed ? ', failed to load' : ''}`}
        onClick={() => setOpen(true)}
      >
        {failed ? (
          'Failed'
        ) : (
          <img src={url} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setFailed(true)} />
        )}
      </button>
      {wanted && (
        <Suspense fallback={null}>
          <ImageDialog
            opened={open}
            url={url}
            name={name}
            failed={failed}
            onFailed={() => setFailed(true)}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
