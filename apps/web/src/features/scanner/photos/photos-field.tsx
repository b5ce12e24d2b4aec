import { photosMax } from '@draftshelf/domain/scanner/scanned-product';
import { Stack, Text, Title } from '@mantine/core';
import { IconCamera, IconPhotoOff, IconPhotoUp, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { ActionIcon } from '../../../ui/button.tsx';
import { overlay } from '../../../ui/later.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import type { ScannedForm } from '../form/use-scanned-form.ts';
import classes from '../scanner.module.css';
import { UploadDialog } from './upload-dialog.tsx';

const CaptureDialog = overlay(() => import('./capture-dialog.tsx').then((chunk) => chunk.CaptureDialog));

/** The photos of a product: from the camera, from files, and their removal. */
export function PhotosField({ form }: { form: ScannedForm }) {
  const [openDialog, setOpenDialog] = useState<'camera' | 'files' | null>(null);
  const { photos } = form;
  const reason = photos.length >= photosMax ? `A product has at most ${photosMax} photos.` : null;
  const close = () => setOpenDialog(null);
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby="scanned-photos">
      <Title order={2} id="scanned-photos" className={classes.legend}>
        Product Photos
      </Title>
      <div className={`row-wrap ${classes.photoButtons}`}>
        <ReasonedButton
          variant="light"
          leftSection={<IconCamera size={18} aria-hidden />}
          reason={reason}
          onClick={() => setOpenDialog('camera')}
        >
          Take Photo
        </ReasonedButton>
        <ReasonedButton
          variant="default"
          leftSection={<IconPhotoUp size={18} aria-hidden />}
          reason={reason}
          onClick={() => setOpenDialog('files')}
        >
          Upload Photo
        </ReasonedButton>
      </div>
      {photos.length > 0 && (
        <ul className={`row-wrap list ${classes.thumbnails} top`} aria-label="Photos">
          {photos.map(({ key, src }, at) => (
            <Thumbnail
              key={key}
              src={src}
              number={at + 1}
              problem={form.photoProblems[key]}
              onRemove={() => form.removePhoto(key)}
            />
          ))}
        </ul>
      )}
      <CaptureDialog
        opened={openDialog === 'camera'}
        isLast={photos.length >= photosMax - 1}
        onCapture={(src) => form.addPhoto({ src, address: null })}
        onUpload={() => setOpenDialog('files')}
        onClose={close}
      />
      <UploadDialog
        opened={openDialog === 'files'}
        present={photos}
        onSent={(photo, sent) => form.addPhoto({ src: URL.createObjectURL(photo), ...sent })}
        onClose={close}
      />
    </Stack>
  );
}

type ThumbnailProps = { src: string; number: number; problem: string | undefined; onRemove: () => void };

function Thumbnail({ src, number, problem, onRemove }: ThumbnailProps) {
  return (
    <li data-refused={problem !== undefined || undefined}>
      <Picture
        className={`${classes.thumbnail} center-grid dim full surface-quiet framed`}
        src={src}
        alt={`Photo ${number}`}
        isEager
        fallback={
          <span className={`${classes.thumbnail} center-grid dim full surface-quiet framed`}>
            <IconPhotoOff size={24} stroke={1.5} aria-hidden />
            <span className="visually-hidden">{`Photo ${number} can’t be shown`}</span>
          </span>
        }
      />
      <ActionIcon
        className={classes.removePhoto}
        variant="default"
        size="lg"
        aria-label={`Remove photo ${number}`}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
      {problem !== undefined && (
        <Text component="span" size="xs" c="var(--text-bad)" role="alert">
          {problem}
        </Text>
      )}
    </li>
  );
}
