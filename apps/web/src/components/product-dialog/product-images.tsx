import { imageUrls } from '@draftshelf/domain/images';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '../../lib/intl.ts';
import classes from './product-dialog.module.css';

/** More pictures are only counted. */
const shownMax = 12;

/** The row's pictures, or why there is none to show. */
export function ProductImages({ image, moreImages }: { image: string; moreImages: string }) {
  if (image.trim() === '' && moreImages.trim() === '') {
    return (
      <Text size="sm" c="dimmed">
        No Image
      </Text>
    );
  }
  const urls = imageUrls({ image, moreImages });
  const isMainInvalid = image.trim() !== '' && imageUrls({ image }).length === 0;
  return (
    <>
      {isMainInvalid && (
        <Text size="sm" c="var(--text-warning)">
          Invalid: the image isn’t a web address that begins with http:// or https://.
        </Text>
      )}
      <ul className={classes.images} aria-label="Images">
        {urls.slice(0, shownMax).map((url) => (
          <Picture key={url} url={url} />
        ))}
      </ul>
      {urls.length > shownMax && (
        <Text size="xs" c="dimmed">
          and {countOf(urls.length - shownMax, 'more image')}
        </Text>
      )}
    </>
  );
}

function Picture({ url }: { url: string }) {
  const [failed, setFailed] = useState(false);
  return (
    <li className={classes.picture} title={url}>
      {failed ? (
        <Text size="xs" c="dimmed">
          Image failed to load
        </Text>
      ) : (
        <img src={url} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setFailed(true)} />
      )}
    </li>
  );
}
