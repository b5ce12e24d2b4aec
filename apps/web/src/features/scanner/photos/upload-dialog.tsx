import { formatFileSize } from '@draftshelf/domain/base/format';
import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { Modal, type ModalProps, Progress, Stack, Text } from '@mantine/core';
import { IconPhotoUp, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { BodyText, Button, IconButton, PlainButton, SmallText } from '../../../ui/basics.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm.tsx';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { useIsNarrow, usePageDrop } from '../../../ui/hooks.ts';
import classes from '../scanner.module.css';
import {
  acceptedPhotoTypes,
  addFiles,
  type ChosenPhoto,
  chosenPhotosMax,
  describeSendFailure,
  hashFiles,
  isPhotoSending,
  isPhotoWaiting,
  type PhotoPhase,
  type ProductPhotos,
  preparePhoto,
  sendPhoto,
  UploadAddressError,
} from './photos.ts';

type UploadDialogProps = { opened: boolean; present: ProductPhotos; onSent: OnSent; onClose: () => void };

/** The dialog for photo files. Nothing is sent before the operator starts it. */
export function UploadDialog({ opened, onClose, ...props }: UploadDialogProps) {
  const [isSending, setIsSending] = useState(false);
  const [asks, setAsks] = useState(false);
  const close = () => (isSending ? setAsks(true) : onClose());
  return (
    <>
      <ScannerDialog
        opened={opened}
        onClose={close}
        title="Upload photos"
        classNames={{ body: classes.dialogBody ?? '' }}
      >
        <Uploads {...props} onSending={setIsSending} onCancel={close} onClose={onClose} />
      </ScannerDialog>
      <ConfirmDialog
        opened={asks && isSending}
        title="Stop uploading?"
        confirm="Stop Uploading"
        keep="Keep Uploading"
        onConfirm={() => {
          setAsks(false);
          onClose();
        }}
        onClose={() => setAsks(false)}
      >
        Photos that have arrived stay with the product; the others don’t.
      </ConfirmDialog>
    </>
  );
}

type UploadsProps = Omit<UploadDialogProps, 'opened'> & {
  onSending: (isSending: boolean) => void;
  /** Closes the dialog; asks first while photos are sent. */
  onCancel: () => void;
};

/** Mounted only while the dialog is open, so that the list starts empty and closing cancels the uploads. */
function Uploads({ present, onSent, onSending, onCancel, onClose }: UploadsProps) {
  const uploads = usePhotoUploads(present, onSent, onClose);
  const over = usePageDrop(uploads.choose);
  const input = useRef<HTMLInputElement>(null);
  const send = async () => {
    onSending(true);
    await uploads.send();
    onSending(false);
  };
  return (
    <>
      <div className={`stack ${classes.dropPlace} center centered`} data-over={over || undefined}>
        <IconPhotoUp size={28} stroke={1.5} aria-hidden />
        <BodyText>Drop photos here, or choose them from this device.</BodyText>
        <Button variant="light" onClick={() => input.current?.click()}>
          Choose Photos
        </Button>
        <SmallText>{`At most ${chosenPhotosMax} at a time, ${formatFileSize(photoBytesMax)} each.`}</SmallText>
        <input
          ref={input}
          type="file"
          accept={acceptedPhotoTypes}
          multiple
          hidden
          aria-label="Photos"
          tabIndex={-1}
          onChange={(event) => {
            uploads.choose([...(event.currentTarget.files ?? [])]);
            // Clears the input, so that a removed file can be chosen again.
            event.currentTarget.value = '';
          }}
        />
      </div>
      <ul className={`list ${classes.uploads} above-sm`} aria-label="Chosen photos">
        {uploads.photos.map((photo) => (
          <PhotoLine key={photo.id} photo={photo} onRemove={() => uploads.remove(photo.id)} />
        ))}
      </ul>
      <div className={`row-wrap ${classes.dialogButtons} end above-sm`}>
        <PlainButton onClick={onCancel}>Cancel</PlainButton>
        <Button disabled={!uploads.canSend && !uploads.isSending} busy={uploads.isSending} onClick={send}>
          Upload
        </Button>
      </div>
    </>
  );
}

function PhotoLine({ photo, onRemove }: { photo: ChosenPhoto; onRemove: () => void }) {
  const { file, state } = photo;
  const isWrong = state.phase === 'refused' || state.phase === 'failed';
  return (
    <li className="row gap-sm pad-y-xs">
      <Stack gap="var(--tight)" className="grow">
        <BodyText fw={550} truncate dir="auto" title={file.name}>
          {file.name}
        </BodyText>
        <Text size="xs" c={isWrong ? 'var(--text-bad)' : 'dimmed'} role={isWrong ? 'alert' : undefined}>
          {`${formatFileSize(file.size)} · ${phaseWords(state)}`}
        </Text>
        <Progress
          size="sm"
          value={shareOf(state)}
          color={isWrong ? 'red' : undefined}
          aria-label={`Upload of ${file.name}`}
        />
      </Stack>
      <IconButton
        icon={IconX}
        size="lg"
        label={`Remove ${file.name}`}
        disabled={isPhotoSending(photo)}
        onClick={onRemove}
      />
    </li>
  );
}

function phaseWords(state: PhotoPhase): string {
  switch (state.phase) {
    case 'chosen':
      return 'ready to upload';
    case 'preparing':
      return 'preparing…';
    case 'sending':
      return `${formatFileSize(state.bytes)} of ${formatFileSize(state.ofBytes)} sent`;
    case 'sent':
      return 'uploaded';
    default:
      return state.reason;
  }
}

function shareOf(state: PhotoPhase): number {
  if (state.phase === 'sent') return 100;
  return state.phase === 'sending' ? (state.bytes / Math.max(state.ofBytes, 1)) * 100 : 0;
}

/** `photo`: the prepared photo. */
type OnSent = (photo: Blob, sent: { address: string; sha256: string | null }) => void;

/** Keeps the chosen photos, and sends them one after the other on request. */
function usePhotoUploads(present: ProductPhotos, onSent: OnSent, onAllSent: () => void) {
  const [photos, setPhotos] = useState<readonly ChosenPhoto[]>([]);
  const [isSending, setIsSending] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const move = (id: number, state: PhotoPhase) =>
    setPhotos((all) => all.map((photo) => (photo.id === id ? { ...photo, state } : photo)));
  /** Sends a photo. Returns whether the photo has arrived. Throws if the upload is cancelled. */
  const sendOne = async ({ id, file, sha256 }: ChosenPhoto, signal: AbortSignal): Promise<boolean> => {
    move(id, { phase: 'preparing' });
    try {
      const photo = await preparePhoto(file);
      move(id, { phase: 'sending', bytes: 0, ofBytes: photo.size });
      const onBytes = (bytes: number) => move(id, { phase: 'sending', bytes, ofBytes: photo.size });
      const address = await sendPhoto(photo, { onSent: onBytes, signal });
      move(id, { phase: 'sent' });
      onSent(photo, { address, sha256 });
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UploadAddressError) {
        toast({ title: 'Upload Error', text: 'Failed to get upload URL', tone: 'failure' });
      }
      move(id, { phase: 'failed', reason: describeSendFailure(error) });
      return false;
    }
  };
  const sendAll = async (signal: AbortSignal) => {
    let hasFailed = false;
    for (const photo of photos.filter(isPhotoWaiting))
      hasFailed = !(await sendOne(photo, signal)) || hasFailed;
    if (hasFailed) return;
    toast({ title: 'Photo Uploaded', text: 'Photo has been uploaded successfully' });
    // If files were refused, the dialog stays open and shows the reasons.
    if (photos.every(({ state }) => state.phase !== 'refused')) onAllSent();
  };
  return {
    photos,
    isSending,
    canSend: !isSending && photos.some(isPhotoWaiting),
    choose: async (files: readonly File[]) => {
      const hashed = await hashFiles(files);
      setPhotos((all) => addFiles(all, hashed, present));
    },
    remove: (id: number) => setPhotos((all) => all.filter((photo) => photo.id !== id)),
    async send() {
      if (running.current !== null) return;
      const controller = new AbortController();
      running.current = controller;
      setIsSending(true);
      await sendAll(controller.signal).catch((error) => {
        if (!controller.signal.aborted) throw error;
      });
      running.current = null;
      setIsSending(false);
    },
  };
}

/** A dialog that fills the screen of a phone. */
export function ScannerDialog(props: ModalProps) {
  const isNarrow = useIsNarrow();
  return <Modal size="lg" fullScreen={isNarrow} {...props} />;
}
