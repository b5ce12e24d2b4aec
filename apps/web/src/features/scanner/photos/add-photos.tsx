import { FileButton, Text } from '@mantine/core';
import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { BodyText, SmallButton } from '../../../ui/basics.tsx';

import { usePageDrop } from '../../../ui/hooks.ts';
import {
  acceptedPhotoTypes,
  describeSendFailure,
  findFileRefusal,
  preparePhoto,
  sendPhoto,
} from './photos.ts';

type AddPhotosProps = {
  isLocked: boolean;
  sending: number;
  onSending: (change: 1 | -1) => void;
  /** Called with the upload address of a sent photo. If `onSent` rejects, the photo is not added. */
  onSent: (upload: string, file: File) => Promise<void>;
  /** Returns the reason why a photo is not sent; null if it may be sent. */
  refusalOf: (photo: Blob, file: File) => Promise<string | null>;
  failures: readonly string[];
  setFailures: Dispatch<SetStateAction<readonly string[]>>;
};

/** Buttons that add photos. Photos are sent at once, and so are photos dropped on the page. */
export function AddPhotos({ isLocked, sending, onSending, ...props }: AddPhotosProps) {
  const { failures, setFailures } = props;
  const forget = useRef<() => void>(null);
  const ended = useRef(new AbortController());
  useEffect(() => {
    ended.current = new AbortController();
    return () => ended.current.abort();
  }, []);
  const add = async (file: File) => {
    const reason =
      findFileRefusal(file) ?? (await send(file, ended.current.signal, props).catch(describeSendFailure));
    if (reason !== null) setFailures((others) => [...others, `${file.name} wasn’t added. ${reason}`]);
    onSending(-1);
  };
  const addAll = async (files: readonly File[]) => {
    if (isLocked) return;
    // Clears the input, so that a failed file can be chosen again.
    forget.current?.();
    setFailures([]);
    for (const _file of files) onSending(1);
    for (const file of files) await add(file);
  };
  const isOver = usePageDrop(addAll);
  return (
    <>
      <div className="row-wrap">
        <FileButton resetRef={forget} accept={acceptedPhotoTypes} multiple onChange={addAll}>
          {(props) => (
            <SmallButton {...props} disabled={isLocked}>
              Add Photos
            </SmallButton>
          )}
        </FileButton>
        <Text size="xs" c={isOver ? 'var(--text-selected)' : 'dimmed'} role="status">
          {sending > 0 ? `Adding ${countOf(sending, 'photo')}…` : 'Or drop photos here.'}
        </Text>
      </div>
      {failures.map((sentence) => (
        <BodyText key={sentence} c="var(--text-bad)" role="alert" className="break-words">
          {sentence}
        </BodyText>
      ))}
    </>
  );
}

type Sending = Pick<AddPhotosProps, 'onSent' | 'refusalOf'>;

async function send(file: File, signal: AbortSignal, { onSent, refusalOf }: Sending): Promise<string | null> {
  const photo = await preparePhoto(file);
  const refusal = await refusalOf(photo, file);
  if (refusal !== null) return refusal;
  await onSent(await sendPhoto(photo, { signal }), file);
  return null;
}
