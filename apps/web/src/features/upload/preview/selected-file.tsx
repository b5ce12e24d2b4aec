import { Skeleton } from '@mantine/core';
import { later } from '../../../ui/later.tsx';
import type { EarlierImports } from '../../import/index.ts';
import { unfoldedId } from '../files/file-row-parts.tsx';
import { classesOf, earlierOf } from '../files/file-words.ts';
import type { useChosenFiles } from '../files/use-chosen-files.ts';
import { UploadChoices, type useUploadChoices } from '../upload-choices.tsx';
import { ParseFailure } from './parse-failure.tsx';
import classes from './preview.module.css';

const PreviewPanel = later(
  () => import('./file-preview.tsx').then((chunk) => chunk.PreviewPanel),
  <Skeleton height={600} />,
);

type SelectedFileProps = {
  chosen: ReturnType<typeof useChosenFiles>;
  earlier: EarlierImports;
  choices: ReturnType<typeof useUploadChoices>;
  /** Chooses another file in place of this one. */
  onOther: (id: number) => void;
};

/** The switches of the upload, and below the table what the chosen row unfolds: its preview, or why it has none. */
export function SelectedFile({ chosen, earlier, choices, onOther }: SelectedFileProps) {
  const { current } = chosen;
  return (
    <div className={classes.check}>
      <UploadChoices choices={choices} />
      {current !== null && (
        <div className={classes.preview} id={unfoldedId}>
          <Unfolded
            key={current.id}
            chosen={chosen}
            current={current}
            earlier={earlier}
            onOther={() => onOther(current.id)}
          />
        </div>
      )}
    </div>
  );
}

type UnfoldedProps = Pick<SelectedFileProps, 'chosen' | 'earlier'> & {
  current: NonNullable<SelectedFileProps['chosen']['current']>;
  onOther: () => void;
};

function Unfolded({ chosen, current, earlier, onOther }: UnfoldedProps) {
  const { reading, dialect, memory } = chosen;
  const refusal = current.isRefused && current.checked?.kind === 'failed' ? current.checked.failure : null;
  const failure = reading.failure ?? refusal;
  if (failure !== null) {
    return (
      <ParseFailure
        file={current.file}
        failure={failure}
        dialect={dialect}
        isWhole={false}
        onOther={onOther}
      />
    );
  }
  const known = earlierOf(current, earlier);
  return (
    <PreviewPanel
      file={current.file}
      state={reading}
      products={chosen.complete ? classesOf(current, known) : null}
      earlier={known}
      dialect={dialect}
      memory={memory}
      onMapping={chosen.setMapping}
      showPage={reading.showPage}
    />
  );
}
