import type { Row } from '@draftshelf/contract/review/rows';
import { useState } from 'react';
import { Picture } from '../../../ui/picture.tsx';
import { FailedImage, pictureOf } from './image-cell.tsx';
import classes from './rows.module.css';

/** The first image of a row where the row is one target: without hint and dialog. */
export function Thumbnail({ row }: { row: Row }) {
  const [broken, setBroken] = useState(false);
  if (!row.values.image) return <span className={classes.noImage}>No Image</span>;
  const picture = pictureOf(row, broken);
  if (picture === null) return <span className={classes.noImage}>Invalid</span>;
  return (
    <span className={classes.thumbnail} data-found={row.sources.image === 'found' || undefined}>
      {picture.failed ? (
        <FailedImage />
      ) : (
        <Picture
          src={picture.url}
          isChecked={picture.isChecked}
          fallback={null}
          onFailed={() => setBroken(true)}
        />
      )}
    </span>
  );
}
