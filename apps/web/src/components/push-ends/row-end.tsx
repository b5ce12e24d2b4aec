import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { endWords, isPushed, type Pushed } from './push-ends.ts';

type RowEndProps = { record: Pushed & { startedAt: string | null } };

/** Says the end of an import's push to screen readers, in its row of the queue. */
export function RowEnd({ record }: RowEndProps) {
  const { status, startedAt } = record;
  const [known, setKnown] = useState({ status, startedAt, words: '' });
  // A push that begins and ends between two polls leaves the status, but not the start, as it was.
  if (known.status !== status || known.startedAt !== startedAt) {
    const isEdited = known.status === 'uploading' && (status === 'queued' || status === 'processed');
    setKnown({ status, startedAt, words: isPushed(record) || isEdited ? endWords(record) : '' });
  }
  return <VisuallyHidden role="status">{known.words}</VisuallyHidden>;
}
