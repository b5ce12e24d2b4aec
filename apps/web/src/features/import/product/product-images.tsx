import { picturesOf } from '@draftshelf/domain/products/images';
import { Text } from '@mantine/core';
import { countOf } from '../../../lib/intl.ts';
import { Picture } from '../../../ui/picture.tsx';
import classes from './product-dialog.module.css';

/** More pictures are only counted. */
const shownMax = 12;

type ProductImagesProps = {
  image: string;
  moreImages: string;
  /** The address whose check by the server was ok. */
  checkedUrl: string | undefined;
};

/** The row's pictures, or why there is none to show. */
export function ProductImages({ image, moreImages, checkedUrl }: ProductImagesProps) {
  if (image.trim() === '' && moreImages.trim() === '') {
    return (
      <Text size="sm" c="dimmed">
        No Image
      </Text>
    );
  }
  const urls = picturesOf({ image, moreImages }).map(({ src }) => src);
  const isMainInvalid = image.trim() !== '' && picturesOf({ image }).length === 0;
  return (
    <>
      {isMainInvalid && (
        <Text size="sm" c="var(--text-warning)">
          Invalid: the image isn’t a web address that begins with http:// or https://.
        </Text>
      )}
      <ul className={`list row-wrap ${classes.images}`} aria-label="Images">
        {urls.slice(0, shownMax).map((url) => (
          <li key={url} className={classes.picture} title={url}>
            <Picture src={url} isChecked={url === checkedUrl} fallback={<FailedPicture />} />
          </li>
        ))}
      </ul>
      {urls.length > shownMax && (
        <Text size="xs" c="dimmed">
          {`${countOf(urls.length - shownMax, 'more image')} not shown.`}
        </Text>
      )}
    </>
  );
}

function FailedPicture() {
  return (
    <Text size="xs" c="dimmed">
      Image failed to load
    </Text>
  );
}
