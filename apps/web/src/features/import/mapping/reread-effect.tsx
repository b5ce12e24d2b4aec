import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { effectWords, extentWords } from './effect-words.ts';
import classes from './reread.module.css';
import type { RereadChange } from './reread-api.ts';
import { useRereadPreview } from './reread-preview-api.ts';
import { RereadSample } from './reread-sample.tsx';

/** A change is asked for after this pause: choosing several fields asks once. */
const pauseMs = 150;

type RereadEffectProps = {
  importId: string;
  /** Null: nothing has been changed yet. */
  change: RereadChange | null;
  /** Also shows the first records. */
  withRecords?: boolean;
};

/** Effect of a re-read: counts before and after, and the first records. Keeps its place while it loads. */
export function RereadEffect({ importId, change, withRecords = false }: RereadEffectProps) {
  const [asked] = useDebouncedValue(change, pauseMs);
  const preview = useRereadPreview(importId, asked);
  const { data, error } = preview;
  return (
    <div className="stack" aria-busy={preview.isFetching}>
      <div role="status" className={`${classes.words} numbers`}>
        {change === null && <Words>Change a setting to see what it does.</Words>}
        {change !== null && error !== null && <Words>Couldn’t preview this: {error.message}</Words>}
        {change !== null && error === null && data === undefined && <Words>Reading the first rows…</Words>}
        {change !== null && error === null && data !== undefined && <Effect preview={data} />}
      </div>
      {withRecords && change !== null && data?.after && <RereadSample reading={data.after} />}
    </div>
  );
}

function Words({ children }: { children: ReactNode }) {
  return (
    <Text span size="sm" c="dimmed">
      {children}
    </Text>
  );
}

function Effect({ preview }: { preview: NonNullable<ReturnType<typeof useRereadPreview>['data']> }) {
  const { before, after, problem } = preview;
  if (after === null) {
    return (
      <Text span size="sm" className={classes.worse}>
        The file can’t be read this way. {problem}
      </Text>
    );
  }
  const isWorse = before !== null && after.valid < before.valid;
  return (
    <>
      <Text span size="sm" fw={550} className={isWorse ? classes.worse : undefined}>
        {effectWords(before, after)}
      </Text>{' '}
      <Words>{extentWords(preview)}</Words>
    </>
  );
}
