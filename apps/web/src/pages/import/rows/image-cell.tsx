import type { Row } from '@draftshelf/contract/rows';
import { imageUrls } from '@draftshelf/domain/images';
import { Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FoundSource } from '../../../components/lookups/found-source.tsx';
import { waitingWords } from '../../../components/lookups/lookup-words.ts';
import classes from '../import.module.css';

/**
 * The first image of a row; else 'No Image', 'Invalid' if it is not a web URL or on a host that is not allowed, or
 * 'Failed' if it does not load or has failed the server's check. The reason is below, and in the dialog.
 */
export function ImageCell({ row }: { row: Row }) {
  return (
    <div className={classes.imageCell}>
      <Picture row={row} />
    </div>
  );
}

function Picture({ row }: { row: Row }) {
  const [broken, setBroken] = useState(false);
  const [open, setOpen] = useState(false);
  const { image, values } = row;
  const text = values.image ?? '';
  if (text === '') return <NoImage row={row} />;
  const url = imageUrls({ image: text })[0];
  if (url === undefined || image?.state === 'invalid') {
    return (
      <span className={classes.noImage} title={image?.reason ?? undefined}>
        Invalid
      </span>
    );
  }
  const failed = broken || image?.state === 'failed';
  const name = values.title || 'this row';
  return (
    <>
      <button
        type="button"
        className={classes.thumbnail}
        aria-label={`Image of ${name}${failed ? ', failed to load' : ''}`}
        title={failed ? (image?.reason ?? undefined) : undefined}
        onClick={() => setOpen(true)}
      >
        {failed ? (
          'Failed'
        ) : (
          <img src={url} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setBroken(true)} />
        )}
      </button>
      {row.sources.image === 'found' && (
        <span className={classes.source}>
          <FoundSource row={row} field="image" />
        </span>
      )}
      <Modal opened={open} onClose={() => setOpen(false)} title={name} size="lg">
        <Stack gap="sm">
          {failed ? (
            <Text>Image failed to load</Text>
          ) : (
            <img
              className={classes.largeImage}
              src={url}
              alt={name}
              referrerPolicy="no-referrer"
              onError={() => setBroken(true)}
            />
          )}
          {failed && image?.reason && <Text size="sm">{image.reason}</Text>}
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
        </Stack>
      </Modal>
    </>
  );
}

function NoImage({ row }: { row: Row }) {
  const lookup = row.image?.lookup ?? null;
  return (
    <>
      <span className={classes.noImage}>No Image</span>
      {lookup !== null && (
        <Text size="xs" c="dimmed">
          {waitingWords(lookup, Date.now())}
        </Text>
      )}
    </>
  );
}
