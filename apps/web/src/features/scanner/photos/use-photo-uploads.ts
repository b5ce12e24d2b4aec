import { useEffect, useReducer, useRef, useState } from 'react';
import { CallError, NoReplyError } from '../../../api/call.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { sendPhoto, UploadAddressError } from '../photos-api.ts';
import {
  type ChosenPhoto,
  chosenPhotosReducer,
  isWaiting,
  type Phase,
  type PresentPhotos,
} from './chosen-photos.ts';
import { preparePhoto } from './prepare-photo.ts';

/** `photo`: what was sent of the file. */
export type OnSent = (photo: Blob, sent: { address: string; file: File }) => void;

/**
 * The files of the upload dialog. They are sent on request, one after the other. `onSent` gets each that has arrived;
 * `onAllSent` is called when none is left.
 */
export function usePhotoUploads(present: PresentPhotos, onSent: OnSent, onAllSent: () => void) {
  const [photos, dispatch] = useReducer(chosenPhotosReducer, []);
  const [isSending, setIsSending] = useState(false);
  const running = useRef<AbortController | null>(null);
  const toast = useToast();
  useEffect(() => () => running.current?.abort(), []);
  const move = (id: number, to: Phase) => dispatch({ kind: 'move', id, to });
  /** Returns true if the photo has arrived. Throws if it is cancelled. */
  const sendOne = async ({ id, file }: ChosenPhoto, signal: AbortSignal): Promise<boolean> => {
    move(id, { phase: 'preparing' });
    try {
      const photo = await preparePhoto(file);
      move(id, { phase: 'sending', bytes: 0, ofBytes: photo.size });
      const onBytes = (bytes: number) => move(id, { phase: 'sending', bytes, ofBytes: photo.size });
      const address = await sendPhoto(photo, { onSent: onBytes, signal });
      move(id, { phase: 'sent' });
      onSent(photo, { address, file });
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UploadAddressError) {
        toast({ title: 'Upload Error', text: 'Failed to get upload URL', tone: 'failure' });
      }
      move(id, { phase: 'failed', reason: reasonOf(error) });
      return false;
    }
  };
  const sendAll = async (signal: AbortSignal) => {
    let hasFailed = false;
    for (const photo of photos.filter(isWaiting)) hasFailed = !(await sendOne(photo, signal)) || hasFailed;
    if (hasFailed) return;
    toast({ title: 'Photo Uploaded', text: 'Photo has been uploaded successfully' });
    // Refused files stay on the screen with their reasons.
    if (photos.every(({ state }) => state.phase !== 'refused')) onAllSent();
  };
  return {
    photos,
    isSending,
    canSend: !isSending && photos.some(isWaiting),
    choose: (files: readonly File[]) => dispatch({ kind: 'choose', files, present }),
    remove: (id: number) => dispatch({ kind: 'remove', id }),
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

/** Why a photo was not sent, as a sentence with the way out. */
function reasonOf(error: unknown): string {
  if (!navigator.onLine) return 'No internet connection. Try again when you’re online.';
  if (error instanceof UploadAddressError) return 'The server gave no address for the upload. Try again.';
  if (error instanceof NoReplyError) return 'The server can’t be reached. Try again.';
  if (error instanceof CallError)
    return error.serverMessage ?? `The upload failed (${error.message}). Try again.`;
  return 'The upload failed. Try again.';
}
