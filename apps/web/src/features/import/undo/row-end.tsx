import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { ShownImport } from '../imports-api.ts';
import { endWords, isPushed, type Pushed } from './push-ends.ts';

type RowEndProps = { record: Pushed & Pick<ShownImport, 'startedAt' | 'isUndoing'> };

/** Tells screen readers the end of an import's push or undo, in its row of the queue. */
export function RowEnd({ record }: RowEndProps) {
  const { status, startedAt, isUndoing } = record;
  const [last, setLast] = useState({ status, startedAt, isUndoing, words: '' });
  // A push that begins and ends between two polls leaves the status, but not the start, as it was.
  if (last.status !== status || last.startedAt !== startedAt || last.isUndoing !== isUndoing) {
    setLast({ status, startedAt, isUndoing, words: newWords(record, last) });
  }
  return <VisuallyHidden role="status">{last.words}</VisuallyHidden>;
}

function newWords(record: RowEndProps['record'], before: { status: string; isUndoing: boolean }): string {
  const { status, isUndoing, filename } = record;
  if (before.isUndoing || isUndoing) {
    return isUndoing ? '' : `${filename}: the undo of its push has ended.`;
  }
  const isEdited = before.status === 'uploading' && (status === 'queued' || status === 'processed');
  return isPushed(record) || isEdited ? endWords(record) : '';
}
