import { imageUrls } from '@draftshelf/domain/images';
import { Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import classes from './rows.module.css';

/** The first image of a row; else 'No Image', 'Invalid' if it is not a web URL, or 'Failed' if it does not load. */
export function ImageCell({ values, title }: { values: Record<string, string>; title: string }) {
  const [failed, setFailed] = useState(false);
  const [open, setOpen] = useState(false);
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
              onError={() => setFailed(true)}
            />
          )}
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
        </Stack>
      </Modal>
    </>
  );
}
